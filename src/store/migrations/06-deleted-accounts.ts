/** Audit entries of deleted accounts used to contain the e-mail address. */
export const deletedAccounts = [`update audit set subject = null where action = 'account.delete'`];
