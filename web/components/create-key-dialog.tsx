import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CodeBlock } from './code-block.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { fieldErrors } from './field-errors.ts';
import { formValue } from './form-value.ts';

const MAX_NAME = 64;

type Texts = {
  readonly create: string;
  readonly name: string;
  readonly nameHint: string;
  readonly made: (name: string) => string;
  readonly key: string;
  readonly onlyNow: string;
  readonly done: string;
};

type Props = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly create: (name: string) => Promise<{ readonly name: string; readonly key: string }>;
  readonly texts: Texts;
};

/** Creates a key with a name and shows it once. */
export function CreateKeyDialog({ isOpen, ...props }: Props) {
  return (
    <Dialog opened={isOpen} onClose={props.onClose} title={props.texts.create}>
      <NewKeyForm {...props} />
    </Dialog>
  );
}

function NewKeyForm({ onClose, create, texts }: Omit<Props, 'isOpen'>) {
  const creating = useMutation({ mutationFn: create });
  if (creating.data)
    return (
      <Stack>
        <Text>{texts.made(creating.data.name)}</Text>
        <CodeBlock text={creating.data.key} label={texts.key} />
        <Alert color="orange">{texts.onlyNow}</Alert>
        <Group justify="flex-end">
          <Button onClick={onClose}>{texts.done}</Button>
        </Group>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        creating.mutate(formValue(new FormData(event.currentTarget), 'name'));
      }}
    >
      <Stack>
        <TextInput
          name="name"
          label={texts.name}
          description={texts.nameHint}
          autoComplete="off"
          required
          maxLength={MAX_NAME}
          data-autofocus
          error={fieldErrors(creating.error)['name']}
        />
        {creating.isError && <ErrorAlert error={creating.error} except={['name']} />}
        <Group justify="flex-end">
          <Button type="submit" loading={creating.isPending}>
            {texts.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
