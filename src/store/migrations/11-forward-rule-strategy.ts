export const forwardRuleStrategy = ['alter table forward_rules add column strategy text'];
