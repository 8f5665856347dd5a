import { List, Stack, Tabs, Text, Title } from '@mantine/core';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../api/wire.ts';
import { Section } from '../../components/section.tsx';
import { TabList } from '../../components/tab-list.tsx';
import { NotOffered } from './not-offered.tsx';
import { type Platform, platformIcons, platformOf, platforms } from './platforms.ts';
import { isOffered, type Protocol } from './settings-text.ts';
import {
  DnsmasqLines,
  DohUrl,
  DotName,
  LinkToIdentifiers,
  LinkToLinkedAddress,
  NetworkManagerCommands,
  PageAsQrCode,
  PowerShellCommand,
  Profiles,
  ResolvedFile,
  ResolverAddress,
  RestartResolved,
  type StepProps,
} from './step-content.tsx';

type Step = { readonly text: StepText; readonly Content?: ComponentType<StepProps> };
type Method = { readonly title?: string; readonly needs: Protocol; readonly steps: readonly Step[] };
type StepText =
  | (typeof methods)[Platform][number]['steps'][number]['text']
  | (typeof plainMethod)['steps'][number]['text'];

/** Setup steps by platform; product names are not translated. */
const methods = {
  ios: [
    {
      needs: 'profile',
      steps: [
        { text: 'ios.open', Content: PageAsQrCode },
        { text: 'ios.download', Content: Profiles },
        { text: 'ios.install' },
        { text: 'ios.choose' },
      ],
    },
  ],
  android: [
    {
      needs: 'private dns',
      steps: [{ text: 'android.open' }, { text: 'android.enter', Content: DotName }, { text: 'android.save' }],
    },
  ],
  windows: [
    {
      needs: 'doh',
      steps: [
        { text: 'windows.command', Content: PowerShellCommand },
        { text: 'windows.open' },
        { text: 'windows.address', Content: ResolverAddress },
        { text: 'windows.encrypt', Content: DohUrl },
      ],
    },
  ],
  mac: [
    {
      needs: 'profile',
      steps: [{ text: 'mac.download', Content: Profiles }, { text: 'mac.open' }, { text: 'mac.install' }],
    },
  ],
  linux: [
    {
      title: 'systemd-resolved',
      needs: 'dot',
      steps: [
        { text: 'linux.file', Content: ResolvedFile },
        { text: 'linux.restart', Content: RestartResolved },
      ],
    },
    {
      title: 'NetworkManager',
      needs: 'private dns',
      steps: [{ text: 'linux.networkManager', Content: NetworkManagerCommands }],
    },
  ],
  router: [
    {
      needs: 'plain',
      steps: [
        { text: 'router.link', Content: LinkToLinkedAddress },
        { text: 'router.open' },
        { text: 'router.enter', Content: ResolverAddress },
      ],
    },
    { title: 'OpenWrt, dnsmasq', needs: 'plain', steps: [{ text: 'router.dnsmasq', Content: DnsmasqLines }] },
  ],
  browser: [
    {
      title: 'Firefox',
      needs: 'doh',
      steps: [{ text: 'browser.firefox' }, { text: 'browser.firefoxEnter', Content: DohUrl }],
    },
    {
      title: 'Chrome',
      needs: 'doh',
      steps: [{ text: 'browser.chrome' }, { text: 'browser.chromeEnter', Content: DohUrl }],
    },
    { title: 'Edge', needs: 'doh', steps: [{ text: 'browser.edge' }, { text: 'browser.edgeEnter', Content: DohUrl }] },
  ],
} as const;

/** In the network of the server, for devices that cannot use encrypted DNS. */
const plainMethod = {
  needs: 'plain',
  steps: [
    { text: 'plain.identify', Content: LinkToIdentifiers },
    { text: 'plain.enter', Content: ResolverAddress },
  ],
} as const;

export function Instructions({ device }: { device: Device }) {
  const { t } = useTranslation('connect');
  const [platform, setPlatform] = useState<Platform>(() => platformOf(device.device_type));
  return (
    <Section title={t('how')} text={t('howText')}>
      <Tabs value={platform} onChange={(value) => setPlatform(value as Platform)} keepMounted={false} variant="pills">
        <TabList
          label={t('how')}
          tabs={platforms.map((name) => {
            const Icon = platformIcons[name];
            return { name, text: t(`platforms.${name}`), icon: <Icon size={17} stroke={1.6} aria-hidden /> };
          })}
          value={platform}
          onChange={setPlatform}
          from="lg"
        />
        {platforms.map((name) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <Methods methods={methods[name]} device={device} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

function Methods({ methods: all, device }: { methods: readonly Method[]; device: Device }) {
  const offered = all.filter(({ needs }) => isOffered(device, needs));
  const missing = all[0]!.needs;
  if (offered.length === 0 && missing !== 'plain')
    return (
      <Stack gap="xl">
        <NotOffered protocol={missing} />
        <MethodSteps method={plainMethod} device={device} />
      </Stack>
    );
  return (
    <Stack gap="xl">
      {offered.map((method) => (
        <MethodSteps key={method.title ?? ''} method={method} device={device} />
      ))}
    </Stack>
  );
}

function MethodSteps({ method: { title, steps }, device }: { method: Method; device: Device }) {
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
        {steps.map(({ text, Content }) => (
          <List.Item key={text}>
            <Text style={{ overflowWrap: 'anywhere' }}>{t(text)}</Text>
            {Content && (
              <Stack mt="xs">
                <Content device={device} />
              </Stack>
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
