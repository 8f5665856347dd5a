import { List, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/section.tsx';
import { TabList } from '../../components/tab-list.tsx';
import { addressesOf, openWrtCommands, type Router, stepsFor } from './steps-of-routers.ts';

export function RouterSteps({ addresses }: { addresses: readonly string[] }) {
  const { t } = useTranslation('network');
  const [router, setRouter] = useState<Router>('fritzbox');
  const { ipv4, ipv6 } = addressesOf(addresses);
  const address = ipv4 ?? ipv6 ?? '';
  const steps = stepsFor({ ipv4, ipv6 });
  const routers = Object.keys(steps) as Router[];
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
                {steps[name]?.map((step) => (
                  <List.Item key={step}>{t(`router.${step}`, { address })}</List.Item>
                ))}
              </List>
              {name === 'openwrt' && <CodeBlock text={openWrtCommands({ ipv4, ipv6 })} label={t('router.openwrt')} />}
              {ipv4 !== undefined && (
                <Text size="sm">
                  {ipv6 === undefined ? t('router.ipv6.note') : t('router.ipv6.noteAddress', { address: ipv6 })}
                </Text>
              )}
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
