import { reasons } from '#src/admin/language/reasons.ts';
import { ACTION_TEXTS } from '#src/admin/language/actions.ts';
import { alerts } from './alerts.ts';
import { assistant } from './assistant.ts';
import { controls } from './controls.ts';
import { answers, errors, paging, ruleButtons, ruleCommands, share } from './interactions.ts';
import { following } from './following.ts';
import { help } from './help.ts';
import { lookups } from './lookups.ts';
import { pings } from './pings.ts';
import { posting } from './posting.ts';
import { setup } from './setup.ts';

/** English. */
export const en = {
  actions: ACTION_TEXTS.en,
  alerts,
  answers,
  assistant,
  controls,
  errors,
  following,
  help,
  lookups,
  paging,
  pings,
  posting,
  ruleButtons,
  reasons,
  ruleCommands,
  setup,
  share,
};
