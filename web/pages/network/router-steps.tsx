import { List, Stack, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/section.tsx';
import { TabList } from '../../components/tab-list.tsx';

/** The texts of the steps of each router. */
const steps = {
  fritzbox: ['fritzboxSteps.1', 'fritzboxSteps.2', 'fritzboxSteps.3', 'fritzboxSteps.4'],
  openwrt: ['openwrtSteps.1', 'openwrtSteps.2', 'openwrtSteps.3'],
  unifi: ['unifiSteps.1', 'unifiSteps.2', 'unifiSteps.3'],
  asus: ['asusSteps.1', 'asusSteps.2', 'asusSteps.3', 'asusSteps.4'],
  generic: ['genericSteps.1', 'genericSteps.2', 'genericSteps.3', 'genericSteps.4'],
} as const;
type Router = keyof typeof steps;
const routers = Object.keys(steps) as Router[];

const openWrtCommands = (address: string): string =>
  [`uci add_list dhcp.lan.dhcp_option='6,${address}'`, 'uci commit dhcp', '/etc/init.d/dnsmasq restart'].join('\n');

export function RouterSteps({ address }: { address: string }) {
  const { t } = useTranslation('network');
  const [router, setRouter] = useState<Router>('fritzbox');
  return (
    <Section title={t('router.title')} text={t('router.text')}>
      <Tabs value={router} onChange={(value) => setRouter(value as Router)} keepMounted={false} variant="pills">
        <TabList
          label={t('router.title')}
          tabs={routers.map((name) => ({ name, text: t(`router.${name}`) }))}
          value={router}
          onChange={setRouter}
          from="sm"
        />
        {routers.map((name) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <Stack gap="xs">
              <List type="ordered" spacing="xs">
                {steps[name].map((step) => (
                  <List.Item key={step}>{t(`router.${step}`, { address })}</List.Item>
                ))}
              </List>
              {name === 'openwrt' && <CodeBlock text={openWrtCommands(address)} label={t('router.openwrt')} />}
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
