/** An audience that not everyone belongs to: the followers of the author, or the people that a post or a message addresses. */
export type Restriction = 'followers' | 'direct';

/** All restrictions, from the greater audience to the smaller one. */
export const RESTRICTIONS = ['followers', 'direct'] as const satisfies readonly Restriction[];

/**
 * The restriction of a record by its `visibility`; undefined: everyone can read it.
 *
 * Records without `visibility` are public, as streams and users are. Only its owner sees a private list.
 */
export function restrictionOf(record: object): Restriction | undefined {
  const visibility: unknown = 'visibility' in record ? record.visibility : undefined;
  if (visibility === 'followers' || visibility === 'direct') return visibility;
  return visibility === 'private' ? 'direct' : undefined;
}

/** Whether a value has a record that not everyone can read, at any depth. */
export function hasRestricted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (restrictionOf(value) !== undefined) return true;
  for (const field of Object.values(value)) if (typeof field === 'object' && hasRestricted(field)) return true;
  return false;
}

export interface PublicOptions {
  /** Whether the record is in a community that is known to be public. */
  readonly inCommunity?: boolean | undefined;
}

/** Whether everyone can read a record. For a post in a community, the visibility of the community decides. Other values are public. */
export function isPublic(value: unknown, { inCommunity = false }: PublicOptions = {}): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const isInvited = 'joinPolicy' in value && value.joinPolicy === 'invitation';
  const isInCommunity = 'communityId' in value && value.communityId !== undefined;
  return restrictionOf(value) === undefined && !isInvited && (inCommunity || !isInCommunity);
}
