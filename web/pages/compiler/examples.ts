import type { Configuration, Format } from './configuration.ts';

type Example = { readonly id: ExampleId; readonly configuration: Configuration; readonly format?: Format };
type ExampleId = 'rules' | 'merge' | 'exceptions' | 'hosts';

const RULES = `! Rules in any syntax: adblock, hosts, plain domains
||ads.example.com^
0.0.0.0 tracker.example.net
metrics.example.org
||banners.ads.example.com^`;

/** Example configurations; those with URLs need Internet access. */
export const examples: readonly Example[] = [
  {
    id: 'rules',
    configuration: {
      name: 'Custom rules',
      sources: [{ source: RULES }],
      transformations: ['RemoveComments', 'Compress', 'Validate', 'Deduplicate', 'InsertFinalNewLine'],
    },
  },
  {
    id: 'merge',
    configuration: {
      name: 'Two lists in one',
      description: 'An adblock list and a hosts file, without duplicates',
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
      name: 'Hosts file for a router',
      sources: [{ source: RULES, exclusions: ['metrics.example.org'] }],
      transformations: ['RemoveComments', 'Compress', 'Deduplicate'],
    },
    format: 'hosts',
  },
];
