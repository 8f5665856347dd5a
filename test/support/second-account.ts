import assert from 'node:assert/strict';
import { type DnsService, type Home, homeOf } from './dns.ts';
import { bin, start } from './weir.ts';

const PASSWORD = 'correct horse battery staple';

/** Creates another account with the command line, beside the running service. It has no filter lists. */
export async function addAccount(service: DnsService, email: string): Promise<Home> {
  const weir = async (words: readonly string[], stdin?: string): Promise<string> => {
    const given = ['account', ...words, '--data', service.data, '--email', email, '--json'];
    const setting = { cwd: service.data, ...(stdin !== undefined && { stdin }) };
    const { code, stdout, stderr } = await start(`${bin}weir`, given, setting).ended;
    assert.equal(code, 0, stderr);
    return stdout;
  };
  await weir(['create', '--password-stdin'], `${PASSWORD}\n`);
  const { key } = JSON.parse(await weir(['key', '--name', 'test'])) as { key: string };
  const home = await homeOf(service, `ApiKey ${key}`);
  await home.set({ filter_lists_settings: { enabled: false, filter_list: [] } });
  return home;
}
