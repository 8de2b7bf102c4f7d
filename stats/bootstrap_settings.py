from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bootstrap:
    replicates: int
    seed: int
