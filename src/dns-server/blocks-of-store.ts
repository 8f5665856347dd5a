import type { Limits } from '../domain/account-limits.ts';
import type { AccountTexts } from '../domain/account-texts.ts';
import { storedSettings } from '../domain/default-settings.ts';
import type { ProfileSettings } from '../domain/profile.ts';
import { type AccountUse, useOf } from '../filter-lists/lists-in-use.ts';
import { asJsonLine } from '../kit/json-lines.ts';
import { HAS_NO_LOG, HAS_REGEX_RULES, keyOf, READ_AT_ONCE } from '../resolver/identity/account-block.ts';
import { blockBuilder, type FeedBlock } from './account-blocks.ts';
import { hasRegexRules } from './has-regex-rules.ts';

type Facts = { readonly use: AccountUse; readonly hasRegexRules: boolean };

// Most accounts of a large installation have few different settings.
const KNOWN_SETTINGS = 1000;

/** The accounts of the store as the lines of `FeedAccount`s: most of their text is as the store has it. */
export async function* blocksOfStore(
  all: AsyncIterable<readonly AccountTexts[]>,
  limitsOf: (account: AccountTexts['account']) => Limits,
): AsyncGenerator<FeedBlock> {
  const factsByKey = new Map<string, Facts>();
  const factsOf = (account: AccountTexts): Facts => {
    if (account.customLists.length > 0) return readFacts(account);
    const key = account.profiles.map(({ settings }) => settings).join('\n');
    const facts = factsByKey.get(key) ?? readFacts(account);
    if (factsByKey.size < KNOWN_SETTINGS) factsByKey.set(key, facts);
    return facts;
  };
  for await (const some of all) {
    const builder = blockBuilder();
    for (const account of some) {
      const { use, hasRegexRules: hasRegex } = factsOf(account);
      const { profiles, devices } = account;
      builder.add(account.account.id, lineOf(account, limitsOf(account.account)), use, {
        flags:
          (isIdentifiedByIds(account) ? 0 : READ_AT_ONCE) |
          (hasRegex ? HAS_REGEX_RULES : 0) |
          (account.account.logEnabled ? 0 : HAS_NO_LOG),
        devices: devices.ids.length,
        keys: [...profiles.map(({ id }) => id), ...devices.ids, ...devices.suffixes].map(keyOf),
      });
    }
    yield builder.block();
  }
}

function readFacts({ account: { id }, profiles, customLists }: AccountTexts): Facts {
  const settings = profiles.map((profile) => storedSettings(JSON.parse(profile.settings) as ProfileSettings));
  return {
    use: useOf({ id, customLists, profiles: settings }),
    hasRegexRules: hasRegexRules({ profiles: settings.map((each) => ({ settings: each })) }),
  };
}

/** The same as for a `DirectoryAccount`. */
const isIdentifiedByIds = ({ devices, dedicated, networks, localRecords, forwardRules, identifiers }: AccountTexts) =>
  devices.areIdentifiedByIds &&
  [dedicated, networks, localRecords, forwardRules, identifiers].every(({ length }) => length === 0);

function lineOf({ account, profiles, devices, ...others }: AccountTexts, limits: Limits): string {
  const { id, timeZone, logEnabled, isSuspended } = account;
  const head = JSON.stringify({ id, timeZone, logEnabled, isSuspended, limits }).slice(0, -1);
  const profilesText = profiles.map(({ json }) => json).join();
  return asJsonLine(
    `${head},"devices":${devices.json},"profiles":[${profilesText}],${JSON.stringify(others).slice(1)}`,
  );
}
