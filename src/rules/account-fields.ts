/** The fields of each entry in `item.accounts`, if the record has them. */
export const ACCOUNT_FIELDS = ['account', 'platform', 'id', 'url', 'title', 'viewerCount', 'startedAt'] as const;
