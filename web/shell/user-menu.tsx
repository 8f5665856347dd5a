import { IconLogout } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../api/query-client.ts';
import { memberQuery, signOut } from '../api/session.ts';
import classes from './shell.module.css';

export function WhoIsHere() {
  const { t } = useTranslation();
  const router = useRouter();
  const { data: member } = useQuery(memberQuery);
  const leaving = useMutation({
    mutationFn: signOut,
    onSettled: async () => {
      await router.navigate({ to: '/sign-in' });
      // Nothing of what was seen stays for whoever sits here next.
      queryClient.clear();
    },
  });
  if (!member) return null;
  return (
    <div className={classes['who']}>
      <div className={classes['person']}>
        <bdi className={classes['email']} title={member.email}>
          {member.email}
        </bdi>
        <span className={classes['role']}>{t(`roles.${member.role}`)}</span>
      </div>
      <button
        type="button"
        className={classes['button']}
        aria-label={t('signOut')}
        title={t('signOut')}
        disabled={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        <IconLogout size={18} stroke={1.6} aria-hidden />
      </button>
    </div>
  );
}
