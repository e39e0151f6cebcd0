import { hash } from '#src/rules/firing.ts';

/** A rule file or test file of a version. */
export interface PublishedFile {
  /** The path in the rules folder, with slashes. */
  readonly file: string;
  readonly source: string;
  /** Whether a member approved it in Discord, and no rules folder had it since then. */
  readonly isApproved?: boolean | undefined;
}

/** A published version of all rules. The newest version is in force. */
export interface RuleVersion {
  /** Consecutive, from 1. */
  readonly number: number;
  /** A hash of all files. */
  readonly hash: string;
  readonly publishedAt: Date;
  /** The person or the process that published it. */
  readonly by: string;
  readonly note?: string | undefined;
  /** The earlier version that a rollback repeats. */
  readonly repeats?: number | undefined;
  /** The rule that a member approved in Discord. */
  readonly approves?: string | undefined;
  readonly files: number;
  /** The numbers of files that differ from the version before. */
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
}

/** The files of a new version, and who publishes it. */
export interface Publication extends Pick<RuleVersion, 'by' | 'note' | 'repeats' | 'approves'> {
  readonly files: readonly PublishedFile[];
  /** The number of the version that the publisher compared the files with; 0 if there is none. */
  readonly after: number;
  /** The draft that the publication approves, in the same transaction. */
  readonly draft?: ApprovedDraft | undefined;
}

/** A draft of the assistant, and the id of the person who approves it. */
export interface ApprovedDraft {
  readonly id: string;
  readonly by: string;
}

/** A person decided about the draft of a publication before. Nothing is published. */
export class DraftDecided extends Error {
  override readonly name = 'DraftDecided';
}

export type PublicationResult =
  | { readonly kind: 'published'; readonly version: RuleVersion }
  /** The version in force has the same files. */
  | { readonly kind: 'same'; readonly version: RuleVersion }
  /** Another version was published after `Publication.after`. */
  | { readonly kind: 'overtaken'; readonly version: RuleVersion };

/** The rules of all processes: versions in the database. */
export interface RuleVersions {
  /** Undefined before the first publication. */
  inForce(): Promise<RuleVersion | undefined>;
  /** All stored versions, newest first. */
  list(): Promise<readonly RuleVersion[]>;
  /** The files of a stored version, by name; undefined: there is no such version. */
  files(number: number): Promise<readonly PublishedFile[] | undefined>;
  /** The files of a stored version with `isApproved`. */
  approved(number: number): Promise<readonly PublishedFile[]>;
  /** The text of a file of a stored version. */
  text(number: number, file: string): Promise<string | undefined>;
  /** Publishes a version in one transaction. From its commit on, no slot of a rule whose file it changed can be committed. */
  publish(publication: Publication): Promise<PublicationResult>;
  /** Waits until this process may publish its rules folder. One process at a time may. */
  claimFolder(options: { readonly signal: AbortSignal }): Promise<Disposable>;
}

/** The hash of a published file, which is `Rule.published`. */
export function publishedHash(source: string): string {
  return hash(source);
}

/** The hash of all files of a version, which is `RuleVersion.hash`. */
export function versionHash(files: readonly PublishedFile[]): string {
  const sorted = files.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return hash(...sorted.flatMap(({ file, source }) => [file, publishedHash(source)]));
}
