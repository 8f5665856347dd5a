import { Alert, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { RuleText } from '../../components/rule-text.tsx';
import { serviceMessage } from '../../components/service-message.ts';
import type { CompileError } from './worker-messages.ts';

/** Error of a compilation, with the configuration paths that the service reported. */
export function CompileErrorAlert({ problem }: { problem: CompileError }) {
  const { t } = useTranslation(['compiler', 'errors']);
  return (
    <Alert color="red" variant="light" role="alert" title={t('failed.title')}>
      <Text size="sm">{errorText()}</Text>
      {problem.kind === 'refused' && problem.details.length > 0 && (
        <List size="sm" mt="xs">
          {problem.details.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <RuleText rule={path.replace(/^configuration\./, '')} /> <bdi>{serviceMessage(message)}</bdi>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );

  function errorText(): string {
    switch (problem.kind) {
      case 'unreachable':
        return t('failed.unreachable');
      case 'slowDown':
        return t('errors:slowDown', { count: problem.seconds });
      case 'refused':
        return serviceMessage(problem.message);
    }
  }
}
