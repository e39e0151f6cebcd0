import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type {
  Absent,
  Keyless,
  Missing,
  Named,
  PartlyFailed,
  Reason,
  RestrictedItems,
  Unchanged,
  Unfit,
} from '#src/rules/reasons/reason.ts';
import type { ChangeKind } from '#src/rules/rule.ts';
import { happened, lastStanding, standing, started } from './changes.ts';
import { blockedBy, pastSuppressionText, suppressionText } from './suppressions.ts';
import { counted, falsehood, fault, listed, numeral, span, spanAgo } from './values.ts';

const CHANGES: Readonly<Record<ChangeKind, string>> = {
  entered: 'dazugekommen',
  left: 'gegangen',
  moved: 'mit anderem Platz',
  changed: 'geändert',
  rose: 'gestiegen',
  fell: 'gefallen',
};

/** The reason of a decision. */
export function decision(reason: Reason): string {
  switch (reason.kind) {
    case 'pollFailed':
      return `die Abfrage ist fehlgeschlagen: ${pollFailed(reason)}`;
    case 'missingKey':
      return reason.items ? keyless(reason.items) : 'die Liste ist unbrauchbar: Ein Eintrag hat keinen Schlüssel';
    case 'scheduledRun': {
      const { block } = reason;
      return block?.kind === 'suppressed'
        ? `nicht ausgeführt: ${suppressionText(block.by)}`
        : `die geplante Zeit ist gekommen${block ? blockedBy(block) : ''}`;
    }
    case 'commandUsed': {
      const { command, by, block } = reason;
      return `${by} hat /${command} benutzt${block ? blockedBy(block) : ''}`;
    }
    case 'webhookReceived': {
      const { webhook, block } = reason;
      return `der Webhook ${webhook} wurde empfangen${block ? blockedBy(block) : ''}`;
    }
    case 'waiting': {
      const { name, standing: where, settleMs, seen } = reason;
      const settling = settleMs === undefined ? [] : [`muss noch ${span(settleMs)} bleiben`];
      const counting = seen ? [`in ${seen.count} von ${numeral(seen.of)} Abfragen gesehen`] : [];
      return `${name} ${standing(where)}: ${[...settling, ...counting].join(', ')}`;
    }
    case 'settling':
      return `${reason.name} ${started(reason.change)}; muss noch ${span(reason.settleMs)} so bleiben`;
    case 'missing':
      return `${reason.name} ${reason.filteredOut ? noFit(reason.filteredOut) : 'fehlt'}: ${missing(reason.missing)}`;
    case 'returned':
      return `${reason.name} ist nach ${spanAgo(reason.awayMs)} wieder da${lastStanding(reason.standing)}: dieselbe Episode, keine zweite Meldung`;
    case 'leftBeforeOpening': {
      const gone = reason.filteredOut ? `zählte noch nicht und ${noFit(reason.filteredOut)}` : 'war wieder weg, bevor es zählte';
      return `${reason.name} ${gone}; gesehen für ${span(reason.seenMs)}`;
    }
    case 'opened':
      return `${reason.name} ${standing(reason.standing)}, nicht gemeldet: ${suppressionText(reason.suppressedBy)}`;
    case 'itemChanged': {
      const { name, change, block } = reason;
      return `${name} ${happened(change)}${block ? blockedBy(block) : gathered(reason)}`;
    }
    case 'itemsChanged': {
      const kinds = reason.changes.map((some) => `${numeral(some.count)} ${CHANGES[some.change]} (${several(some)})`);
      return listed(kinds) + (reason.block ? blockedBy(reason.block) : gathered(reason));
    }
    case 'closed': {
      const { name, live, seenMs, standing: where, filteredOut: mismatch, suppressedBy: suppression } = reason;
      const gone = mismatch ? `ist nicht mehr dabei: ${noFit(mismatch)};` : `${live ? 'ist nicht mehr live' : 'ist nicht mehr dabei'}:`;
      const never = suppression === undefined ? '' : `; nie gemeldet: ${pastSuppressionText(suppression)}`;
      const last = lastStanding(where);
      return `${name} ${gone} gesehen für ${span(seenMs)}${last && `, zuletzt${last}`}${never}`;
    }
    case 'everyReached': {
      const { name, everyMs, multipleMs, missed, block } = reason;
      const late = missed === undefined ? '' : `; ${counted(missed, 'früheres Vielfaches', 'frühere Vielfache')} ohne Abfrage`;
      return `${name} dauert seit ${spanAgo(multipleMs)}, einem Vielfachen von every: ${span(everyMs)}${late}${block ? blockedBy(block) : ''}`;
    }
    case 'removedByEdit':
      return `${reason.name} steht nach einer Änderung der Regel oder der Liste nicht mehr auf der Liste; das Ende wird nicht gemeldet; gesehen für ${span(reason.seenMs)}`;
    case 'removedFromEach':
      return `${reason.name} wird nicht mehr verfolgt: Der Wert von „each“ wurde aus der Regel genommen; gesehen für ${span(reason.seenMs)}`;
    case 'baseline': {
      const firstPoll = reason.isNew ? 'erste Abfrage' : 'erste Abfrage, seit die Regel etwas anderes beobachtet';
      const { found } = reason;
      return `${firstPoll}: ${counted(found.count, 'Eintrag', 'Einträge')} schon in der Liste, nicht gemeldet: ${several(found)}`;
    }
    case 'filteredOut':
      return unfit(reason);
    case 'restricted':
      return restricted(reason);
    case 'pollPartlyFailed':
      return partlyFailed(reason);
    case 'unchanged': {
      const { filteredOut: excluded, restricted: hidden, partlyFailed: failed } = reason;
      return [
        unchanged(reason),
        ...(excluded ? [unfit(excluded)] : []),
        ...(hidden ? [restricted(hidden)] : []),
        ...(failed ? [partlyFailed(failed)] : []),
      ].join('; ');
    }
    case 'limitEnded':
      return `das Limit erlaubt wieder eine Meldung: ${counted(reason.changes, 'Änderung', 'Änderungen')} gesammelt${collectedBlock(reason)}`;
    case 'gathered': {
      const due = reason.by === 'count' ? 'genug für die Schritte von gather' : 'die Zeit von gather ist gekommen';
      return `${counted(reason.changes, 'Änderung', 'Änderungen')} gesammelt: ${due}${collectedBlock(reason)}`;
    }
    case 'quietHoursEnded': {
      const { changes, lastSlotMs, suppressedBy } = reason;
      const deferred =
        lastSlotMs === undefined
          ? `${counted(changes, 'Änderung', 'Änderungen')} aufgeschoben`
          : `Termine wurden aufgeschoben, der letzte vom ${new Date(lastSlotMs).toISOString()}`;
      const ended = `die Ruhezeit ist vorbei: ${deferred}`;
      if (!suppressedBy) return ended;
      return `${ended}, nicht gemeldet: ${suppressionText(suppressedBy)}`;
    }
  }
}

/** The reason of a failed poll. */
export function pollFailed({ failure, fault: kind }: Omit<Extract<Reason, { readonly kind: 'pollFailed' }>, 'kind'>): string {
  if (failure === undefined) return 'es kam keine Antwort';
  return kind === undefined ? `„${failure}“` : fault(kind, failure);
}

function collectedBlock({ suppressedBy, block }: Extract<Reason, { readonly kind: 'limitEnded' | 'gathered' }>): string {
  const blocked = suppressedBy ? ({ kind: 'suppressed', by: suppressedBy } as const) : block;
  return blocked ? blockedBy(blocked) : '';
}

function gathered({ gathered: count }: { readonly gathered?: number | undefined }): string {
  return count === undefined ? '' : `; ${numeral(count)} gesammelt`;
}

/** The text after a name: its item no longer matches `where`. */
function noFit(mismatch: Falsehood): string {
  return `passt nicht mehr zu „where“, denn ${falsehood(mismatch)}`;
}

function keyless({ count, named }: Keyless): string {
  const samples = named.map(({ name, error }) => `${name} (${error ?? 'der Schlüssel ist leer'})`).join(', ');
  const more = count > named.length ? ` und ${counted(count - named.length, 'weiterer', 'weitere')}` : '';
  return `${counted(count, 'Eintrag', 'Einträge')} ohne Schlüssel ausgelassen: ${samples}${more}; in dieser Abfrage gilt kein Eintrag als verschwunden`;
}

function unfit({ count, named }: Unfit): string {
  const samples = named.map(({ name, condition }) => `${name}: ${falsehood(condition)}`).join('; ');
  const more = count > named.length ? `; und ${counted(count - named.length, 'weiterer', 'weitere')}` : '';
  return `${counted(count, 'Eintrag passt', 'Einträge passen')} nicht zu „where“: ${samples}${more}`;
}

function restricted({ followers, direct }: RestrictedItems): string {
  const kinds = [...(followers > 0 ? [`${numeral(followers)} für Follower`] : []), ...(direct > 0 ? [`${numeral(direct)} direkt`] : [])];
  return `${counted(followers + direct, 'Eintrag', 'Einträge')} ausgelassen, weil nicht alle sie lesen können: ${kinds.join(', ')}; „include“ nimmt sie auf`;
}

function partlyFailed({ count, parts }: PartlyFailed): string {
  const samples = parts.map(({ account, names, isWhole, ...reason }) => {
    const what = names ? several(names) : isWhole ? 'alles' : 'ein Teil';
    return `${what} über ${account}: ${pollFailed(reason)}`;
  });
  const more = count > parts.length ? `; und ${counted(count - parts.length, 'weiterer', 'weitere')}` : '';
  return `nicht gelesen: ${samples.join('; ')}${more}`;
}

const INCOMPLETE = {
  short: '; die Liste war unvollständig und zeigt nicht, welche Einträge fehlen',
  pages: '; weitere Seiten wurden nicht gelesen, deshalb zeigt die Liste nicht, welche Einträge fehlen',
} as const;

function unchanged({ live, hinted, read, followed, below, missing: gone, noLongerMatching, cut }: Unchanged): string {
  const lower = below ? `, ${numeral(below.count)} hinter den ersten ${numeral(below.take)}` : '';
  const away = gone ? absence(gone, live ? 'ist offline gegangen' : 'ist nicht mehr in der Liste') : '';
  const refused = noLongerMatching
    ? `, ${counted(noLongerMatching.count, 'passt', 'passen')} nicht mehr zu „where“: ${absent(noLongerMatching)}`
    : '';
  const known =
    live && read === followed
      ? `${numeral(read)} live`
      : `${counted(read, 'Eintrag', 'Einträge')} in der Liste, ${numeral(followed)} verfolgt`;
  const part = hinted ? 'nur die Kanäle einer Benachrichtigung wurden gelesen: ' : '';
  return `${part}${known}${lower}${refused}${away}${cut ? INCOMPLETE[cut] : ''}`;
}

/** Missing people or items, and when their episodes end. */
function absence({ count, named }: Absent, gone: string): string {
  const more = count > named.length ? [`${counted(count - named.length, 'weiterer Eintrag fehlt', 'weitere Einträge fehlen')}`] : [];
  // Units end with a point.
  return ['', ...named.map((one) => `${one.name} ${gone}; ${episodeEnd(one.missing)}`), ...more].join('. ').replaceAll('.. ', '. ');
}

function episodeEnd({ polls, graceMs }: Missing): string {
  const left = polls && polls.of - polls.count;
  const grace = graceMs === undefined ? [] : [`in ${spanAgo(graceMs)}`];
  const counting = left === undefined ? [] : [`nach ${counted(left, 'weiteren Abfrage', 'weiteren Abfragen')}`];
  const ends = [...grace, ...counting].join(' und ');
  return `die Episode endet ${ends === '' ? 'mit der nächsten Abfrage' : ends}`;
}

function absent({ count, named }: Absent): string {
  return several({ count, names: named.map((one) => `${one.name} (${missing(one.missing)})`) });
}

function missing({ polls, graceMs }: Missing): string {
  const counting = polls ? [`in ${numeral(polls.count)} von ${numeral(polls.of)} Abfragen`] : [];
  const grace = graceMs === undefined ? [] : [`die Episode endet in ${spanAgo(graceMs)}`];
  return [...counting, ...grace].join(', ');
}

function several({ count, names }: Named): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} und ${counted(more, 'weiterer', 'weitere')}` : names.join(', ');
}
