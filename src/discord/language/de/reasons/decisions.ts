import type { Falsehood } from '#src/rules/reasons/falsehood.ts';
import type { Absent, Missing, Named, Reason, Unchanged, Unfit } from '#src/rules/reasons/reason.ts';
import type { ChangeKind } from '#src/rules/rule.ts';
import { falsehood } from './falsehoods.ts';
import { fault } from './faults.ts';
import { begun, happened, standing } from './happenings.ts';
import { counted, span, spanAgo, listed, numeral } from './quantities.ts';
import { hindered, silence } from './silences.ts';

const CHANGES: Readonly<Record<ChangeKind, string>> = {
  entered: 'dazugekommen',
  left: 'gegangen',
  moved: 'mit anderem Platz',
  changed: 'geändert',
  rose: 'gestiegen',
  fell: 'gefallen',
};

/** Warum eine Regel so entschieden hat. */
export function decision(reason: Reason): string {
  switch (reason.kind) {
    case 'unread':
      return `es konnte nichts gelesen werden: ${unread(reason)}`;
    case 'keyless':
      return 'die Antwort ist nicht zu gebrauchen: Einer ihrer Einträge hat keinen Schlüssel';
    case 'slot': {
      const { hindrance } = reason;
      return hindrance?.kind === 'refused'
        ? `nichts getan: ${silence(hindrance.by)}`
        : `ihre Zeit war da${hindrance ? hindered(hindrance) : ''}`;
    }
    case 'waiting': {
      const { name, standing: where, settleMs, seen } = reason;
      const settling = settleMs === undefined ? [] : [`muss noch ${span(settleMs)} bleiben`];
      const counting = seen ? [`gesehen bei ${seen.count} von ${numeral(seen.of)} Malen`] : [];
      return `${name} steht auf ${standing(where)}: ${[...settling, ...counting].join(', ')}`;
    }
    case 'settling':
      return `${reason.name} ${begun(reason.happened)}; muss noch ${span(reason.settleMs)} so bleiben`;
    case 'missing':
      return `${reason.name} ${reason.unfit ? noFit(reason.unfit) : 'fehlt'}: ${missing(reason.missing)}`;
    case 'back':
      return `${reason.name} ist nach ${spanAgo(reason.awayMs)} wieder da, auf ${standing(reason.standing)}: Es geht weiter, ohne zweite Meldung`;
    case 'vanished': {
      const gone = reason.unfit ? `zählte noch nicht und ${noFit(reason.unfit)}` : 'war wieder weg, bevor es zählte';
      return `${reason.name} ${gone}; gesehen für ${span(reason.seenMs)}`;
    }
    case 'opened':
      return `${reason.name} steht auf ${standing(reason.standing)}, nicht gemeldet: ${silence(reason.silence)}`;
    case 'happened': {
      const { name, happened: change, hindrance } = reason;
      return `${name} ${happened(change)}${hindrance ? hindered(hindrance) : ''}`;
    }
    case 'poll': {
      const kinds = reason.changes.map((some) => `${numeral(some.count)} ${CHANGES[some.change]} (${several(some)})`);
      return listed(kinds) + (reason.hindrance ? hindered(reason.hindrance) : '');
    }
    case 'closed': {
      const { name, live, seenMs, standing: where, unfit: because, silence: unsaid } = reason;
      const gone = because ? `ist nicht mehr dabei: ${noFit(because)};` : `${live ? 'ist nicht mehr live' : 'ist nicht mehr dabei'}:`;
      const never = unsaid === undefined ? '' : `; nie gemeldet: ${silence(unsaid)}`;
      return `${name} ${gone} gesehen für ${span(seenMs)}, zuletzt ${standing(where)}${never}`;
    }
    case 'unfollowed':
      return `${reason.name} wird nicht mehr verfolgt: Der Wert von „each“ wurde aus der Regel genommen; gesehen für ${span(reason.seenMs)}`;
    case 'baseline': {
      const look = reason.isNew ? 'erster Blick' : 'erster Blick, seit die Regel etwas anderes beobachtet';
      const { found } = reason;
      return `${look}: ${counted(found.count, 'Eintrag', 'Einträge')} schon da, ab jetzt ohne Meldung verfolgt: ${several(found)}`;
    }
    case 'unfit':
      return unfit(reason);
    case 'unchanged':
      return [unchanged(reason), ...(reason.unfit ? [unfit(reason.unfit)] : [])].join('; ');
    case 'handedOver': {
      const { changes, lastSlotMs, untold } = reason;
      const held =
        lastSlotMs === undefined
          ? `${counted(changes, 'Änderung', 'Änderungen')} zurückgehalten`
          : `Termine wurden zurückgehalten, der letzte von ${new Date(lastSlotMs).toISOString()}`;
      const told = `die Ruhezeit ist vorbei: ${held}`;
      if (!untold) return told;
      return `${told}, nicht gemeldet: ${untold.kind === 'fuseBlew' ? 'die Sicherung hat ausgelöst' : silence(untold)}`;
    }
  }
}

/** Warum nichts gelesen werden konnte. */
export function unread({ failure, fault: kind }: Omit<Extract<Reason, { readonly kind: 'unread' }>, 'kind'>): string {
  if (failure === undefined) return 'es kam keine Antwort';
  return kind === undefined ? `„${failure}“` : fault(kind, failure);
}

/** Dass „where“ nicht mehr durchlässt, was vorher passte, hinter dem Namen. */
function noFit(because: Falsehood): string {
  return `passt nicht mehr zu „where“, denn ${falsehood(because)}`;
}

function unfit({ count, named }: Unfit): string {
  const samples = named.map(({ name, because }) => `${name}: ${falsehood(because)}`).join('; ');
  const more = count > named.length ? `; und ${numeral(count - named.length)} weitere` : '';
  return `${counted(count, 'Eintrag passt', 'Einträge passen')} nicht zu „where“: ${samples}${more}`;
}

const CUTS = {
  short: '; die Liste war nicht vollständig und sagt nicht, wer fehlt',
  pages: '; weitere Seiten blieben ungelesen, also sagt die Liste nicht, wer fehlt',
} as const;

function unchanged({ read, followed, below, missing: gone, noLongerFit, cut }: Unchanged): string {
  const lower = below ? `, ${numeral(below.count)} hinter den ersten ${numeral(below.take)}` : '';
  const away = gone ? `, ${numeral(gone.count)} fehlen noch: ${absent(gone)}` : '';
  const refused = noLongerFit ? `, ${counted(noLongerFit.count, 'passt', 'passen')} nicht mehr zu „where“: ${absent(noLongerFit)}` : '';
  return `nichts hat sich geändert: ${counted(read, 'Eintrag', 'Einträge')} gelesen, ${numeral(followed)} davon verfolgt${lower}${away}${refused}${cut ? CUTS[cut] : ''}`;
}

function absent({ count, named }: Absent): string {
  return several({ count, names: named.map((one) => `${one.name} (${missing(one.missing)})`) });
}

function missing({ polls, graceMs }: Missing): string {
  const counting = polls ? [`${numeral(polls.count)} von ${numeral(polls.of)} Malen`] : [];
  const grace = graceMs === undefined ? [] : [`darf noch ${span(graceMs)} fehlen`];
  return [...counting, ...grace].join(', ');
}

function several({ count, names }: Named): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} und ${numeral(more)} weitere` : names.join(', ');
}
