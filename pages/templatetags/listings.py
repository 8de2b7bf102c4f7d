from django import template

from pages.listing import Filter, Listing

register = template.Library()


@register.simple_tag
def chosen(listing: Listing, each: Filter) -> str:
    """Return the value of a filter that the address asks for."""
    return listing.chosen(each)
