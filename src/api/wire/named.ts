import Type, { type TEnum, type TObject, type TProperties } from 'typebox';
import { COMPONENT } from '../../http/openapi.ts';

// Schema names are those of the published API; generated clients use them.

export const object = <Properties extends TProperties>(
  name: string,
  description: string,
  properties: Properties,
): TObject<Properties> => Type.Object(properties, { [COMPONENT]: name, description });

export const enumeration = <const Values extends readonly string[]>(
  name: string,
  values: Values,
  options: object = {},
): TEnum<[...Values]> =>
  Type.Enum([...values], { type: 'string', ...options, [COMPONENT]: name }) as TEnum<[...Values]>;

export const int32 = (options: object = {}) => Type.Integer({ format: 'int32', ...options });
export const int64 = (options: object = {}) => Type.Integer({ format: 'int64', ...options });
