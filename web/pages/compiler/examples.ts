import type { Configuration, Format } from './configuration.ts';

type Example = { readonly id: ExampleId; readonly configuration: Configuration; readonly format?: Format };
type ExampleId = 'rules' | 'merge' | 'exceptions' | 'hosts';

const RULES = `! Rules in any syntax: adblock, hosts, plain names
||ads.example.com^
0.0.0.0 tracker.example.net
metrics.example.org
||banners.ads.example.com^`;

/** Example configurations; those with URLs need Internet access. */
export const examples: readonly Example[] = [
  {
    id: 'rules',
    configuration: {
      name: 'Own rules',
      sources: [{ source: RULES }],
      transformations: ['RemoveComments', 'Compress', 'Validate', 'Deduplicate', 'InsertFinalNewLine'],
    },
  },
  {
    id: 'merge',
    configuration: {
      name: 'Two lists in one',
      description: 'A list in adblock syntax and a hosts file, without what both have',
      sources: [
        { name: 'AdGuard DNS filter', source: 'https://adguardteam.github.io/AdGuardSDNSFilter/Filters/filter.txt' },
        { name: 'StevenBlack', source: 'https://raw.githubusercontent.com/StevenBlack/hosts/master/hosts' },
      ],
      transformations: ['RemoveComments', 'Compress', 'RemoveModifiers', 'Validate', 'Deduplicate'],
    },
  },
  {
    id: 'exceptions',
    configuration: {
      name: 'Never block these',
      sources: [{ source: 'shop.example.com\nbank.example.org' }],
      transformations: ['Compress', 'InvertAllow', 'Deduplicate'],
    },
  },
  {
    id: 'hosts',
    configuration: {
      name: 'For an old router',
      sources: [{ source: RULES, exclusions: ['metrics.example.org'] }],
      transformations: ['RemoveComments', 'Compress', 'Deduplicate'],
    },
    format: 'hosts',
  },
];
