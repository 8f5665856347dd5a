import { Switch } from '@mantine/core';
import { notifyWithUndo } from './notify.tsx';
import { useAction } from './use-action.ts';
import { useCanEdit } from './use-can-edit.ts';

type Props = {
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => Promise<void>;
  /** Notification text after the change. */
  readonly message: (isOn: boolean) => string;
  /** Accessible name if there is no visible label. */
  readonly name: string;
  readonly label?: string | undefined;
  readonly hint?: string | undefined;
};

/** Switch that is saved immediately and can be undone. */
export function UndoableSwitch({ isOn, set, message, name, label, hint }: Props) {
  const canEdit = useCanEdit();
  const undoing = useAction(set);
  const switching = useAction(set, {
    onDone: (_, now) => notifyWithUndo(message(now), () => undoing.mutate(!now)),
  });
  return (
    <Switch
      checked={switching.isPending ? switching.variables : isOn}
      disabled={!canEdit}
      {...(label === undefined ? { 'aria-label': name } : { label, description: hint })}
      onChange={(event) => switching.mutate(event.currentTarget.checked)}
    />
  );
}
