# Calls every operation of a client that OpenAPI Generator made from a published document, and reads back everything it writes.
# Arguments: folder of the client, URL, e-mail address, password, API key, start and end of the log. Prints what was called and what failed.
import json
import sys

folder, url, email, password, key, start, end = sys.argv[1:]
sys.path.insert(0, folder)
import urllib3
import weir_client
from weir_client.rest import ApiException

configuration = weir_client.Configuration(host=url)
api = weir_client.ApiClient(configuration)
# A redirect is the result of an operation.
api.rest_client.pool_manager.connection_pool_kw["retries"] = urllib3.Retry(redirect=0, raise_on_redirect=False)
groups = [getattr(weir_client, name)(api) for name in dir(weir_client) if name.endswith("Api")]
operations = {
    name: getattr(group, name)
    for group in groups
    for name in dir(group)
    if not name.startswith("_") and not name.endswith("_with_http_info") and callable(getattr(group, name))
}
called = set()
failed = []


def call(name, *values, expected=None, **named):
    """The response; None for an expected error, and for an operation that this version does not have."""
    if name not in operations:
        return None
    called.add(name)
    try:
        response = operations[name](*values, **named)
        if expected is None:
            return response
        failed.append([name, "succeeded instead of %s" % expected])
    except ApiException as error:
        if error.status != expected:
            failed.append([name, "%s %s" % (error.status, error.body)])
    except Exception as error:
        failed.append([name, repr(error)])
    return None


def model(kind, **members):
    """With the members that this version has."""
    known = getattr(weir_client, kind).openapi_types
    return getattr(weir_client, kind)(**{name: value for name, value in members.items() if name in known})


def is_within(part, whole):
    """Whether the members of part have the same values in whole. Entries of lists are found by their id."""
    if isinstance(part, dict):
        # Version 1.15 can write the categories but not read them.
        readable = part.keys() - {"blocked_filtering_categories"}
        return all(name in whole and is_within(part[name], whole[name]) for name in readable)
    if isinstance(part, list) and part and isinstance(part[0], dict):
        return all(any(is_within(each, other) for other in whole) for each in part)
    return part == whole


def compare(name, sent, received):
    plain = api.sanitize_for_serialization
    if received is None or not is_within(plain(sent), plain(received)):
        failed.append([name, "sent %s, received %s" % (plain(sent), plain(received))])


def authorize_with(secret, prefix=None):
    """The documents describe tokens in a form that the generator does not support: it knows only the scheme for API keys."""
    configuration.api_key["Authorization"] = secret
    configuration.api_key_prefix["Authorization"] = prefix


def use_everything():
    tokens = call("access_token", grant_type="password", username=email, password=password)
    authorize_with(tokens.access_token, "Bearer")
    call("authorize", "router", "code", "https://router.example/back", code_challenge="a" * 43, expected=302)
    call("get_account_limits")
    lists = call("list_filter_lists")
    services = call("list_web_services")
    categories = call("list_parental_control_filtering_categories")

    settings = model(
        "DNSServerSettingsUpdate",
        access_settings=model(
            "DNSServerAccessSettingsUpdate",
            enabled=True,
            allowed_clients=["192.0.2.0/24", "AS123"],
            blocked_clients=["198.51.100.1"],
            blocked_domain_rules=["||x.example^"],
            block_known_scanners=True,
        ),
        auto_connect_devices_enabled=True,
        block_chrome_prefetch=True,
        block_firefox_canary=True,
        block_private_relay=True,
        block_ttl_seconds=77,
        blocking_mode_settings=model(
            "BlockingModeSettingsUpdate",
            blocking_mode="CUSTOM_IP",
            ipv4_blocking_address="192.0.2.1",
            ipv6_blocking_address="2001:db8::1",
        ),
        filter_lists_settings=model(
            "FilterListsSettingsUpdate",
            enabled=True,
            filter_list=[model("FilterListItemUpdate", filter_id=lists[0].filter_id, enabled=True)],
        ),
        ip_log_enabled=True,
        parental_control_settings=model(
            "ParentalControlSettingsUpdate",
            enabled=True,
            block_adult_websites_enabled=True,
            engines_safe_search_enabled=True,
            youtube_safe_search_enabled=True,
            blocked_services=[model("BlockedWebServiceUpdate", id=services[0].id, enabled=True)],
            blocked_filtering_categories=categories
            and [model("BlockedFilteringCategoryUpdate", id=categories[0].id, enabled=True)],
            screen_time_schedule=model(
                "ScheduleWeekUpdate",
                daily_schedule=[
                    model(
                        "ScheduleDayUpdate",
                        day_of_week="MONDAY",
                        enabled=True,
                        from_time=model("ScheduleTime", hours=8, minutes=0),
                        to_time=model("ScheduleTime", hours=18, minutes=30),
                    )
                ],
            ),
        ),
        protection_enabled=False,
        safebrowsing_settings=model(
            "SafebrowsingSettingsUpdate",
            enabled=True,
            block_dangerous_domains=True,
            block_nrd=True,
            homoglyph_protection_enabled=True,
            typosquatting_protection_enabled=True,
            blocking_mode_settings=model("BlockingModeSettingsUpdate", blocking_mode="NXDOMAIN"),
        ),
        user_rules_settings=model("UserRulesSettingsUpdate", enabled=True, rules=["||a.example^", "@@||b.example^"]),
    )
    created = call("create_dns_server", model("DNSServerCreate", name="Created", settings=settings))
    compare("create_dns_server", settings, created.settings)
    server = call("create_dns_server", model("DNSServerCreate", name="Kids")).id
    call("update_dns_server_settings", server, settings)
    call("update_dns_server", server, model("DNSServerUpdate", name="Children"))
    read = call("get_dns_server", server)
    compare("update_dns_server_settings", settings, read.settings)
    compare("update_dns_server", "Children", read.name)
    compare("list_dns_servers", ["Children"], [each.name for each in call("list_dns_servers") if each.id == server])
    if "get_dns_servers" in operations:
        compare("get_dns_server_settings", settings, call("get_dns_server_settings", server))
        compare("get_dns_servers", ["Children"], [each.name for each in call("get_dns_servers", search="Children").items])

    new_device = model("DeviceCreate", name="Phone", device_type="IOS", dns_server_id=server)
    device = call("create_device", new_device).id
    update = model("DeviceUpdate", name="Tablet", device_type="ANDROID", dns_server_id=created.id)
    call("update_device", device, update)
    device_settings = model("DeviceSettingsUpdate", protection_enabled=False, detect_doh_auth_only=True)
    call("update_device_settings", device, device_settings)
    read = call("get_device", device)
    compare("update_device", update, read)
    compare("update_device_settings", device_settings, read.settings)
    compare("list_devices", ["Tablet"], [each.name for each in call("list_devices")])
    if "get_devices" in operations:
        compare("get_device_settings", device_settings, call("get_device_settings", device))
        compare("get_devices", ["Tablet"], [each.name for each in call("get_devices", search="Tablet").items])
    call("reset_doh_password", device)
    for name in ("get_do_h_mobile_config", "get_do_t_mobile_config"):
        call(name, device, exclude_wifi_networks=["Home"], exclude_domain=["lan"])
    address = call("allocate_dedicated_i_pv4_address").ip
    call("link_dedicated_i_pv4_address", device, model("LinkDedicatedIPv4", ip=address))
    linked = [(each.ip, each.device_id) for each in call("list_dedicated_i_pv4_addresses")]
    compare("list_dedicated_i_pv4_addresses", [(address, device)], linked)
    compare("list_dedicated_addresses_for_device", [address], call("list_dedicated_addresses_for_device", device).ipv4)
    call("unlink_dedicated_i_pv4_address", device, address)

    compare("get_query_log", ["ads.example"], [row.domain for row in call("get_query_log", int(start), int(end), limit=5).items])
    for name in sorted(operations):
        if name.endswith("_stats"):
            response = call(name, int(start), int(end))
            if response is None or response.stats is None:
                failed.append([name, "no statistics"])
    # One page of those that have pages.
    if "get_devices" in operations:
        compare("get_domains_queries_stats", 1, len(call("get_domains_queries_stats", int(start), int(end), limit=1).stats))
    call("clear_query_log")
    compare("clear_query_log", [], call("get_query_log", int(start), int(end)).items)
    call("remove_device", device)
    call("get_device", device, expected=404)
    for each in (server, created.id):
        call("remove_dns_server", each)
    call("revoke_token", refresh_token=tokens.refresh_token)
    call("list_devices", expected=401)
    for prefix in (None, "Bearer", "ApiKey"):
        authorize_with(key, prefix)
        call("list_devices")


try:
    use_everything()
except Exception as error:
    # An operation that returned nothing.
    failed.append(["the program", repr(error)])
print(json.dumps({
    "operations": len(operations),
    "called": len(called),
    "missing": sorted(set(operations) - called),
    "failed": failed,
}))
