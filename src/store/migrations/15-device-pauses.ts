export const devicePauses = ['alter table devices add column paused_until bigint'];
