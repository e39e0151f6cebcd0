import { hash } from 'node:crypto';
import type { DraftedPost, DraftedRule, StoredDrafts } from '#src/clients/assistant/drafts.ts';
import { ToolError, type ToolContext, type ToolResult } from '#src/clients/assistant/tools.ts';
import type { Clock } from '#src/clock.ts';

/** Characters that a reader of a draft cannot see: control characters, direction marks and characters without a width. */
const UNSEEN = /[\p{Cc}--[\n\t]]|[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/v;

/** Rejects a text with characters that the approver could not see. */
export function requireVisible(what: string, text: string): void {
  const unseen = UNSEEN.exec(text)?.[0].codePointAt(0);
  if (unseen === undefined) return;
  throw new ToolError(`${what} contains the invisible character U+${unseen.toString(16).toUpperCase().padStart(4, '0')}: remove it`);
}

/** Stores a draft. Equal drafts of the same question are one draft. */
export async function saveDraft(
  content: DraftedPost | DraftedRule,
  { conversation, question, by, signal }: ToolContext,
  { drafts, clock }: { readonly drafts: StoredDrafts; readonly clock: Clock },
): Promise<Required<ToolResult>['draft']> {
  const id = hash('sha256', JSON.stringify([conversation, question, content]), 'base64url').slice(0, 16);
  // The conversation of an aborted answer may be deleted by now, so its draft is not stored.
  signal.throwIfAborted();
  await drafts.add({ id, content, by, conversation, state: 'open', madeAt: new Date(clock.nowMs()) });
  return id;
}
