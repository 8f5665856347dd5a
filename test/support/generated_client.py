# Uses the client that OpenAPI Generator made. Arguments: folder of the client, URL, access token, start and end of the log.
import json
import sys

folder, url, token, start, end = sys.argv[1:]
sys.path.insert(0, folder)
import weir_client
from weir_client.rest import ApiException

configuration = weir_client.Configuration(host=url)
configuration.access_token = token
with weir_client.ApiClient(configuration) as api:
    servers = weir_client.DNSServersApi(api)
    server = servers.create_dns_server(weir_client.DNSServerCreate(name="Python"))
    servers.add_user_rule(server.id, weir_client.RuleEntry(rule="||ads.example^"))
    update = weir_client.DNSServerSettingsUpdate(block_ttl_seconds=42)
    servers.update_dns_server_settings(server.id, update)
    settings = servers.get_dns_server(server.id).settings
    devices = weir_client.DevicesApi(api)
    new_device = weir_client.DeviceCreate(name="Phone", device_type="IOS", dns_server_id=server.id)
    device = devices.create_device(new_device)
    page = weir_client.QueryLogApi(api).get_query_log(int(start), int(end), limit=1)
    statistics = weir_client.StatisticsApi(api).get_domains_queries_stats(int(start), int(end))
    try:
        servers.get_dns_server("unknown")
        status = 200
    except ApiException as error:
        status = error.status
    print(json.dumps({
        "rules": settings.user_rules_settings.rules,
        "ttl": settings.block_ttl_seconds,
        "devices": [each.id == device.id for each in devices.list_devices()],
        "doh": device.dns_addresses.dns_over_https_url is not None,
        "logged": [item.domain for item in page.items],
        "statistics": [[row.domain, row.value.queries] for row in statistics.stats],
        "unknown": status,
    }))
