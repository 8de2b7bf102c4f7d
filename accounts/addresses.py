"""Addresses of clients, as far as they tell one from another."""

import ipaddress

from django.http import HttpRequest

IPV6_PREFIX = 64


def of_request(request: HttpRequest) -> str | None:
    """Return what failed sign-ins of the client are counted for (AXES_CLIENT_IP_CALLABLE)."""
    return network(request.META.get("REMOTE_ADDR", ""))


def network(address: str) -> str | None:
    """Return an IPv4 address, or the first 64 bits of an IPv6 address; None if it is neither.

    A subscriber of IPv6 has all addresses that begin with these bits.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(parsed), IPV6_PREFIX), strict=False).network_address)


def shortened(address: str | None) -> str:
    """Return the network of an address, enough to tell one's own from a foreign one; "" for None."""
    if address is None:
        return ""
    prefix = 48 if ":" in address else 24
    return str(ipaddress.ip_network(f"{address}/{prefix}", strict=False))
