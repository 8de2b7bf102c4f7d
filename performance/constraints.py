"""Constraints of a model that Django validates, asked of the database in few queries."""

from collections.abc import Collection
from functools import reduce
from operator import and_

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import BaseConstraint, CheckConstraint, Q


class CheckedTogether(models.Model):
    """A model with many check constraints. Django validates each with a query of its own, which names all fields."""

    class Meta:
        abstract = True

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        # At a NUL PostgreSQL ends in an error, which Django takes for a condition that holds: together all would.
        has_nul = any("\0" in str(value) for value in vars(self).values())
        if has_nul or not self._meets_all_constraints(exclude):
            super().validate_constraints(exclude)  # says which it does not meet

    def _meets_all_constraints(self, exclude: Collection[str] | None) -> bool:
        """Whether it does, with one query for all conditions but those on a field that is left out."""
        left_out = set(exclude or ())
        conditions, asked = list[Q](), list[BaseConstraint]()
        for each in self._meta.constraints:
            condition = each.condition if isinstance(each, CheckConstraint) else None
            if not isinstance(condition, Q):
                asked.append(each)
            elif condition.referenced_base_fields.isdisjoint(left_out):
                conditions.append(condition)
        if conditions:
            asked.append(CheckConstraint(condition=reduce(and_, conditions), name="all"))
        try:
            for each in asked:
                each.validate(type(self), self, exclude=left_out)
        except ValidationError:
            return False
        return True
