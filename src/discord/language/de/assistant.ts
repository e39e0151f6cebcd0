import type { Texts } from '../texts.ts';

/** The assistant. */
export const assistant: Texts['assistant'] = {
  ask: { name: 'frag', description: 'Frag den Assistenten; er weiß noch, was du hier gefragt hast' },
  text: { name: 'text', description: 'Deine Frage' },
  hidden: { name: 'privat', description: 'Nur du siehst die Antwort' },
  anew: { name: 'neu', description: 'Fang ein neues Gespräch an' },
  conversation: { name: 'gespräch', description: 'Was ihr hier geredet habt, du und der Assistent' },
  history: { name: 'verlauf', description: 'Zeig das Gespräch, nur dir' },
  forget: { name: 'vergiss', description: 'Lass den Assistenten das Gespräch vergessen' },
  hiddenOne: { name: 'privat', description: 'Das, das nur du siehst' },

  lookingAt: {
    streaming: 'Schaut nach den Streams …',
    social: 'Schaut nach Posts …',
    draft: 'Schreibt einen Entwurf …',
    other: 'Schaut etwas nach …',
  },
  brokenOff: (why) => `Hier bricht die Antwort ab. ${why}`,
  restIsInHistory: 'Die Antwort ist länger, als hier Platz ist: Unter `/gespräch verlauf` steht alles.',
  nothingAsked: 'Schreib, was du wissen willst.',
  noAnswer: 'Darauf habe ich keine Antwort.',
  draftBelow: 'Hier ist ein Entwurf. Es passiert nichts, bevor ihn jemand freigibt.',
  interrupted: 'Der Bot wurde mitten in der Antwort neu gestartet. Frag noch einmal.',

  tooMuchByYou: (again) =>
    again === undefined
      ? 'Gerade darf niemand den Assistenten fragen.'
      : `Das war erst einmal deine letzte Frage. Fragen kannst du wieder ${again}.`,
  tooMuchHere: (again) =>
    again === undefined
      ? 'Hier darf gerade niemand den Assistenten fragen.'
      : `Auf diesem Server wurde so viel gefragt, dass der Assistent Pause macht. Er antwortet wieder ${again}.`,
  tooLong: 'Dieses Gespräch ist zu lang geworden. Fang ein neues an: `/frag` mit `neu: True`.',

  goOn: 'Im Thread weiterreden',
  threadOf: 'Gespräch',
  threadOpened: (thread) => `Weiter geht es in ${thread}.`,
  threadIsThere: (thread) => `Es gibt schon einen Thread: ${thread}`,
  threadBegins: 'Was hier geschrieben wird, knüpft an die Antwort oben an. Auf „Antworten“ muss niemand drücken.',
  threadBeginsWithMentions: 'Erwähne mich hier in einer Nachricht, dann knüpfe ich an die Antwort oben an.',
  threadForbidden:
    'Der Bot darf hier keine Threads öffnen: Er braucht „Öffentliche Threads erstellen“ und „Nachrichten in Threads senden“.',

  noHistory: 'Du hast hier nichts gefragt, woran sich der Assistent erinnert.',
  asked: 'Gefragt',
  answered: 'Geantwortet',
  wholeHistory: 'Alles steht in der Datei.',
  forgotten:
    'Vergessen: Nichts davon wird behalten, auch kein Entwurf, den niemand freigegeben hat. Mit deiner nächsten Frage hier fängt ein neues Gespräch an. Was im Kanal steht, bleibt dort stehen.',
  forgottenMeanwhile: 'Das Gespräch wurde inzwischen vergessen. Frag noch einmal, dann fängt ein neues an.',
  leftOnly: (owner) =>
    `Du bist raus: Mit deiner nächsten Frage fängt ein neues Gespräch an. Das bisherige hat ${owner} angefangen und kann es vergessen lassen, ebenso wer den Bot betreibt.`,
  notYours: (owner) =>
    `Es wurde nichts vergessen: Das Gespräch hier führen alle gemeinsam. Vergessen lassen kann es nur, wer es angefangen hat (${owner}), oder wer den Bot betreibt. Mit \`/frag\` und \`neu: True\` fängt hier ein neues an, für alle.`,

  draft: {
    post: 'Ein Post, noch nicht gesendet',
    rule: (id) => `Eine Regel, die noch nicht läuft: ${id}`,
    decidedPost: 'Ein Post',
    decidedRule: (id) => `Eine Regel: ${id}`,
    by: (person) => `Gewünscht von ${person}`,
    length: (length, most) => (most === undefined ? `${length} Zeichen` : `${length} von ${most} Zeichen`),
    thread: (posts) => `ein Thread aus ${posts} Posts`,
    empty: 'da steht nichts',
    tooLong: 'zu lang',
    schedule: 'Sie läuft',
    watches: 'Sie schaut auf',
    does: 'Und macht',
    first: 'Wenn etwas neu ist',
    during: 'Solange es anhält',
    after: 'Wenn es vorbei ist',
    cut: 'Der Rest steht in der Datei.',
    tests: 'Sie hat Tests, und die bestehen.',
    approve: 'Freigeben',
    drop: 'Verwerfen',
    asFile: 'Als Datei',
    refresh: 'Was wurde daraus?',
    approved: (person) => `Freigegeben von ${person}`,
    dropped: (person) => `Verworfen von ${person}`,
    runs: (file) => `Die Regel läuft: ${file}`,
    sending: 'Er wird gerade gesendet.',
    sent: (account, link) => `${account}: ${link}`,
    notSent: (account, why) => `${account}: nicht gesendet. ${why}`,
    waits: (account) => `${account}: unterwegs`,
    alreadyApproved: (person) => `Schon erledigt: ${person} hat es freigegeben.`,
    alreadyDropped: (person) => `Schon erledigt: ${person} hat es verworfen.`,
    gone: 'Diesen Entwurf gibt es nicht mehr: Er war zu alt, oder sein Gespräch wurde vergessen. Lass dir einen neuen machen.',
    needsPost: 'Freigeben oder verwerfen kann das nur, wer posten darf.',
    needsOperate: 'Freigeben oder verwerfen kann das nur, wer sich um die Regeln kümmert.',
    refused: (why) => `So geht es nicht: ${why}`,
    reasons: {
      check: (lines) => `Mit den Konten und Regeln, die es jetzt gibt, kann die Regel nicht laufen. ${lines}`,
      tests: (lines) => `Die Tests der Regel schlagen fehl. ${lines}`,
      switched: 'Die Regel schaltet sich selbst ein oder aus, und das entscheiden Menschen.',
      files: 'Die Regel hängt Dateien von dem Rechner an, auf dem der Bot läuft.',
      withheld: (verb) => `Die Regel liest ${verb}, und das darf nicht jeder sehen. Wer das will, schreibt die Regel von Hand.`,
      taken: (rule) => `Die Regel ${rule} gibt es schon. Lass sie mit einer anderen ID entwerfen.`,
      unwritten: (file) =>
        `Die Datei ${file} lässt sich nicht in den Ordner der Regeln schreiben: Es gibt sie schon, oder der Bot darf es nicht. Warum, steht in seinem Log.`,
      noAccount: 'Es gibt kein Konto, das posten kann.',
      empty: (account) => `${account}: In dem Post steht nichts.`,
      tooLong: (account) => `${account}: Der Post ist zu lang, auch für einen Thread.`,
      unfit: (account, why) => `${account}: Dort würde der Post nicht angenommen (${why}).`,
    },
  },
};
