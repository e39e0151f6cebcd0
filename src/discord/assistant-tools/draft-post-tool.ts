import { z } from 'zod';
import type { StoredDrafts } from '#src/clients/assistant/drafts.ts';
import { ToolError, type Tool } from '#src/clients/assistant/tools.ts';
import type { Clock } from '#src/clock.ts';
import { saveDraft, requireVisible } from './save-draft.ts';
import { toolSchema } from './tool-schema.ts';

/** Longer texts are too long even for a thread. */
const MOST_CHARS = 4_000;

export interface DraftPostOptions {
  /** The accounts that can post, and the default accounts. */
  readonly accounts: { readonly all: readonly string[]; readonly defaults: readonly string[] };
  readonly drafts: StoredDrafts;
  readonly clock: Clock;
}

/** `draft_post`: keeps a post that a person may send. */
export function draftPostTool({ accounts: { all, defaults }, drafts, clock }: DraftPostOptions): Tool {
  const usual = defaults.length > 0 ? defaults : all.slice(0, 1);
  const Input = z.object({
    text: z.string().trim().min(1).max(MOST_CHARS).describe('The complete text of the post.'),
    accounts: z
      .array(z.enum(all))
      .min(1)
      .optional()
      .describe(`The accounts for the post; absent: ${usual.join(', ')}.`),
  });
  return {
    name: 'draft_post',
    description:
      'Stores a draft of a post for the person who asked for one. Nothing is sent: the person sees the draft with a button below your answer, and a member who can post clicks it. Say that the draft waits for an approval.',
    get parameters() {
      return toolSchema(Input);
    },
    drafts: true,

    async run(input, context) {
      const { success, data, error } = Input.safeParse(input);
      if (!success) throw new ToolError(z.prettifyError(error));
      const { text, accounts = usual } = data;
      requireVisible('the text', text);
      const draft = await saveDraft({ kind: 'post', text, accounts: [...new Set(accounts)] }, context, { drafts, clock });
      return { draft, text: `Stored as a draft for ${accounts.join(', ')}. It waits for the approval of a member. Nothing was sent.` };
    },
  };
}
