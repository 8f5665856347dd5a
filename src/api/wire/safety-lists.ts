import Type from 'typebox';
import { enumeration, int32, object } from './named.ts';

const SafetySetting = enumeration('SafetySetting', [
  'block_dangerous_domains',
  'block_adult_websites_enabled',
  'block_nrd',
  'typosquatting_protection_enabled',
  'homoglyph_protection_enabled',
]);

const SafetyListState = enumeration('SafetyListState', ['no_list', 'unused', 'loading', 'failed', 'ready']);

export const SafetyList = object('SafetyList', 'Status of the lists behind a switch of a DNS server.', {
  setting: SafetySetting,
  state: SafetyListState,
  rules_count: int32({ description: 'Rules of the loaded lists.' }),
  problem: Type.Optional(Type.String({ description: 'Why a list could not be loaded or updated.' })),
});
