import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLatch } from '../components/use-latch.ts';
import classes from './shell.module.css';

const FindDialog = lazy(() => import('./find-dialog.tsx').then((module) => ({ default: module.FindDialog })));

/** Opens the search over everything; Ctrl-K does too, also while typing. */
export function FindButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  const [isOpen, dialog] = useDisclosure(false);
  const wasOpen = useLatch(isOpen);
  const open = (): void => {
    onOpen();
    dialog.open();
  };
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <button type="button" className={classes['find']} onClick={open}>
        <IconSearch size={17} stroke={1.6} aria-hidden />
        <span>{t('find.button')}</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      <Suspense>{wasOpen && <FindDialog isOpen={isOpen} onClose={dialog.close} />}</Suspense>
    </>
  );
}
