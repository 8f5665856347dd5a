import { List, Stack, Tabs, Text, Title } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../api/wire.ts';
import { Section } from '../../components/section.tsx';
import { type Platform, platformIcons, platformOf, platforms } from './platforms.ts';
import {
  DnsmasqLines,
  DohUrl,
  DotName,
  LinkToDevice,
  NetworkManagerCommands,
  PageAsQrCode,
  PowerShellCommand,
  Profiles,
  ResolvedFile,
  ResolverAddress,
  RestartResolved,
  type Shown,
} from './step-content.tsx';

type Step = { readonly words: StepWords; readonly Shown?: ComponentType<Shown> };
type Way = { readonly title?: string; readonly steps: readonly Step[] };
type StepWords = (typeof ways)[Platform][number]['steps'][number]['words'];

/** What to do, step by step; names of programs are the same in all languages. */
const ways = {
  ios: [
    {
      steps: [
        { words: 'ios.open', Shown: PageAsQrCode },
        { words: 'ios.download', Shown: Profiles },
        { words: 'ios.install' },
        { words: 'ios.choose' },
      ],
    },
  ],
  android: [
    {
      steps: [{ words: 'android.open' }, { words: 'android.enter', Shown: DotName }, { words: 'android.save' }],
    },
  ],
  windows: [
    {
      steps: [
        { words: 'windows.command', Shown: PowerShellCommand },
        { words: 'windows.open' },
        { words: 'windows.address', Shown: ResolverAddress },
        { words: 'windows.encrypt', Shown: DohUrl },
      ],
    },
  ],
  mac: [{ steps: [{ words: 'mac.download', Shown: Profiles }, { words: 'mac.open' }, { words: 'mac.install' }] }],
  linux: [
    {
      title: 'systemd-resolved',
      steps: [
        { words: 'linux.file', Shown: ResolvedFile },
        { words: 'linux.restart', Shown: RestartResolved },
      ],
    },
    { title: 'NetworkManager', steps: [{ words: 'linux.networkManager', Shown: NetworkManagerCommands }] },
  ],
  router: [
    {
      steps: [
        { words: 'router.link', Shown: LinkToDevice },
        { words: 'router.open' },
        { words: 'router.enter', Shown: ResolverAddress },
      ],
    },
    { title: 'OpenWrt, dnsmasq', steps: [{ words: 'router.dnsmasq', Shown: DnsmasqLines }] },
  ],
  browser: [
    {
      title: 'Firefox',
      steps: [{ words: 'browser.firefox' }, { words: 'browser.firefoxEnter', Shown: DohUrl }],
    },
    { title: 'Chrome', steps: [{ words: 'browser.chrome' }, { words: 'browser.chromeEnter', Shown: DohUrl }] },
    { title: 'Edge', steps: [{ words: 'browser.edge' }, { words: 'browser.edgeEnter', Shown: DohUrl }] },
  ],
} as const;

export function Instructions({ device }: { device: Device }) {
  const { t } = useTranslation('connect');
  const [platform, setPlatform] = useState<Platform>(() => platformOf(device.device_type));
  return (
    <Section title={t('how')} text={t('howText')}>
      <Tabs value={platform} onChange={(value) => setPlatform(value as Platform)} keepMounted={false} variant="pills">
        <Tabs.List aria-label={t('how')}>
          {platforms.map((name) => {
            const Icon = platformIcons[name];
            return (
              <Tabs.Tab key={name} value={name} leftSection={<Icon size={17} stroke={1.6} aria-hidden />}>
                {t(`platforms.${name}`)}
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
        {platforms.map((name) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <Stack gap="xl">
              {ways[name].map((way: Way) => (
                <WaySteps key={way.title ?? name} way={way} device={device} />
              ))}
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

function WaySteps({ way: { title, steps }, device }: { way: Way; device: Device }) {
  const { t } = useTranslation('connect');
  return (
    <Stack gap="xs">
      {title !== undefined && <Title order={3}>{title}</Title>}
      <List
        type="ordered"
        spacing="md"
        maw={620}
        styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}
      >
        {steps.map(({ words, Shown }) => (
          <List.Item key={words}>
            <Text style={{ overflowWrap: 'anywhere' }}>{t(words)}</Text>
            {Shown && (
              <Stack mt="xs">
                <Shown device={device} />
              </Stack>
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
