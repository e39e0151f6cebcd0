import { z } from 'zod';
import type { ReservedUse, StoredDrafts, RuleRefusal } from '#src/clients/assistant/drafts.ts';
import { ToolError, type Tool } from '#src/clients/assistant/tools.ts';
import type { Clock } from '#src/clock.ts';
import { checkDraft, type CheckContext } from './check-draft.ts';
import { saveDraft, requireVisible } from './save-draft.ts';
import { RULE_GUIDE, TESTS_GUIDE } from './rule-guide.ts';
import { toolSchema } from './tool-schema.ts';

/** An approver can read this much. */
const MOST_CHARS = 8_000;

const Input = z.object({
  rule: z.string().min(1).max(MOST_CHARS).describe('The whole rule, as YAML.'),
  tests: z.string().min(1).max(MOST_CHARS).optional().describe(TESTS_GUIDE),
});

export interface DraftRuleOptions {
  readonly checkContext: CheckContext;
  readonly drafts: StoredDrafts;
  readonly clock: Clock;
}

/** `draft_rule`: checks a rule and stores it for a person who may approve it. */
export function draftRuleTool({ checkContext, drafts, clock }: DraftRuleOptions): Tool {
  return {
    name: 'draft_rule',
    description: RULE_GUIDE,
    get parameters() {
      return toolSchema(Input);
    },
    drafts: true,

    async run(input, context) {
      const { success, data, error } = Input.safeParse(input);
      if (!success) throw new ToolError(z.prettifyError(error));
      const [source, tests] = [withEnd(data.rule), data.tests && withEnd(data.tests)];
      requireVisible('the rule', source);
      requireVisible('the tests', tests ?? '');
      const { rule, wrong, remarks } = await checkDraft(source, tests, checkContext);
      if (wrong !== undefined) throw new ToolError(`no draft was stored. ${toModel(wrong)}`);
      const draft = await saveDraft({ kind: 'rule', rule, source, tests }, context, { drafts, clock });
      const text = `Stored as a draft of the rule ${rule}. It does not run until a member approves it.`;
      return { draft, text: [text, ...remarks].join('\n') };
    },
  };
}

const RESERVED: Readonly<Record<ReservedUse, string>> = {
  roles: 'changes roles of members, or its buttons could',
  deletes: 'deletes something',
  everyone: 'pings everyone, or an expression in `mention` could',
};

/** The error for the model about a rule that cannot run. */
function toModel(wrong: RuleRefusal): string {
  switch (wrong.kind) {
    case 'check':
    case 'tests':
      return wrong.lines;
    case 'switched':
      return 'leave out `enabled`: the approval turns the rule on';
    case 'files':
      return 'a drafted rule cannot attach files: show a picture with `embed: { image }`';
    case 'restricted':
      return 'a drafted rule has no `include` and no `audience`: an operator has to write such a rule';
    case 'reserved':
      return `the rule ${RESERVED[wrong.use]}: an operator has to write such a rule`;
    case 'withheld':
      return `a drafted rule cannot read ${wrong.verb} (${wrong.why}): an operator has to write such a rule`;
    case 'taken':
      return `the rule ${wrong.rule} already exists: choose another id`;
  }
}

function withEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
