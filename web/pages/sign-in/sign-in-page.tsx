import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { compileAccessQuery } from '../../api/compile-access.ts';
import { queryClient } from '../../api/query-client.ts';
import { isSetUpQuery, memberQuery } from '../../api/session.ts';
import { safeNext } from '../../shell/require-session.ts';
import { AuthLayout } from './auth-layout.tsx';
import { SignInForm } from './sign-in-form.tsx';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { t } = useTranslation('signIn');
  const { next } = route.useSearch();
  const router = useRouter();
  const { data: setUp } = useQuery(isSetUpQuery);
  if (setUp && !setUp.is_done) return <Navigate to="/set-up" replace />;
  return (
    <AuthLayout title={t('title')}>
      <SignInForm
        onDone={(member) => {
          queryClient.setQueryData(memberQuery.queryKey, member);
          router.history.push(safeNext(next));
        }}
      />
      <CompilerLink />
    </AuthLayout>
  );
}

/** For users who only compile lists, where the operator allows that without an account. */
function CompilerLink() {
  const { t } = useTranslation('signIn');
  const { data: access } = useQuery(compileAccessQuery);
  if (!access?.page) return null;
  return (
    <Anchor component={Link} to="/compiler" size="sm">
      {t('compiler')}
    </Anchor>
  );
}
