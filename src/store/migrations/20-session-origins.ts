/** Browser or program and client address of a sign-in; null for older sessions. */
export const sessionOrigins = [
  'alter table token_families add column user_agent text',
  'alter table token_families add column address text',
];
