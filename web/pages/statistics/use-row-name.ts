import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
import type { Subject } from '../../api/statistics-rows.ts';
import { useFormat } from '../../components/format.tsx';
import { useCompanyName } from '../../components/use-company-name.ts';
import { useCountryName } from '../../components/use-country-name.ts';
import type { Category } from '../log/categories.ts';
import { useCategoryName } from '../log/use-category-name.ts';

/** Display name of a row. */
export function useRowName(by: Subject): (key: string) => string {
  const { data: devices } = useQuery(devicesQuery);
  const { data: clients } = useQuery(networkClientsQuery);
  const companyName = useCompanyName();
  const countryName = useCountryName();
  const categoryName = useCategoryName();
  const { time } = useFormat();
  const names = useMemo(() => new Map(devices?.map(({ id, name }) => [id, name])), [devices]);
  const clientNames = useMemo(
    () => new Map(clients?.items.map(({ id, name, addresses }) => [id, name ?? addresses[0]])),
    [clients],
  );
  const formats: Readonly<Record<Subject, (key: string) => string>> = {
    domains: (key) => key,
    companies: companyName,
    devices: (key) => names.get(key) ?? key,
    clients: (key) => clientNames.get(key) ?? key,
    categories: (key) => categoryName(key as Category),
    countries: countryName,
    time: (key) => time(Number(key), { dateStyle: 'medium', timeStyle: 'short' }),
  };
  return formats[by];
}
