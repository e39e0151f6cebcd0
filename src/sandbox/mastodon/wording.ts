export const locales = ['en', 'de', 'ja'] as const;

/** A language that refusals are worded in. */
export type Locale = (typeof locales)[number];

type Sentence = Readonly<Record<Locale, string>>;

const INVALID: Sentence = {
  en: 'Validation failed: {0}',
  de: 'Gültigkeitsprüfung ist fehlgeschlagen: {0}',
  ja: 'バリデーションに失敗しました: {0}',
};

/** What is wrong with what was sent. */
const invalid = {
  textBlank: { en: "Text can't be blank", de: 'Text muss ausgefüllt werden', ja: '本文を入力してください' },
  textTooLong: {
    en: 'Text character limit of {0} exceeded',
    de: 'Text Begrenzung von {0} Zeichen überschritten',
    ja: '本文は{0}文字までです',
  },
  visibility: {
    en: 'Visibility is not included in the list',
    de: 'Visibility ist kein gültiger Wert',
    ja: '公開範囲は一覧にありません',
  },
  pollOptionsFew: {
    en: 'Options must have more than one item',
    de: 'Options muss mehr als einen Eintrag haben',
    ja: '選択肢は2つ以上必要です',
  },
  pollOptionsMany: {
    en: "Options can't contain more than {0} items",
    de: 'Options kann nicht mehr als {0} Einträge beinhalten',
    ja: '選択肢は{0}個までです',
  },
  pollOptionLong: {
    en: "Options can't be longer than {0} characters each",
    de: 'Options können jeweils nicht länger als {0} Zeichen sein',
    ja: '選択肢は{0}文字までです',
  },
  pollOptionsTwice: {
    en: 'Options contain duplicate items',
    de: 'Options enthält doppelte Einträge',
    ja: '選択肢が重複しています',
  },
  pollTooShort: { en: 'Expires at duration is too short', de: 'Expires at Laufzeit ist zu kurz', ja: '期間が短すぎます' },
  pollTooLong: { en: 'Expires at duration is too long', de: 'Expires at Laufzeit ist zu lang', ja: '期間が長すぎます' },
  pollOver: { en: 'The poll has already ended', de: 'Diese Umfrage ist bereits beendet', ja: 'アンケートは終了しています' },
  pollVoted: {
    en: 'You have already voted on this poll',
    de: 'Du hast bereits an dieser Umfrage teilgenommen',
    ja: '既に投票しています',
  },
  pollChoice: {
    en: 'The chosen vote option does not exist',
    de: 'Diese Auswahl existiert nicht',
    ja: 'その選択肢は存在しません',
  },
  pollOwn: {
    en: 'You cannot vote in your own polls',
    de: 'Du kannst nicht an deinen eigenen Umfragen teilnehmen',
    ja: '自分のアンケートには投票できません',
  },
  pinOthers: {
    en: "Someone else's post cannot be pinned",
    de: 'Du kannst nur eigene Beiträge anheften',
    ja: '他人の投稿は固定できません',
  },
  pinBoost: { en: 'A boost cannot be pinned', de: 'Du kannst keine geteilten Beiträge anheften', ja: 'ブーストは固定できません' },
  pinDirect: {
    en: 'Posts that are only visible to mentioned users cannot be pinned',
    de: 'Beiträge, die nur für erwähnte Profile sichtbar sind, können nicht angeheftet werden',
    ja: '返信したユーザーのみに表示される投稿はピン留めできません',
  },
  pinLimit: {
    en: 'You have already pinned the maximum number of posts',
    de: 'Du hast bereits die maximale Anzahl an Beiträgen angeheftet',
    ja: '固定できる投稿数の上限に達しました',
  },
  titleBlank: { en: "Title can't be blank", de: 'Title muss ausgefüllt werden', ja: 'タイトルを入力してください' },
  accountTaken: { en: 'Account has already been taken', de: 'Account ist bereits vergeben', ja: 'アカウントはすでに存在します' },
  fileType: {
    en: 'File content type is invalid, File is invalid',
    de: 'File Inhaltstyp ist ungültig, File ist nicht gültig',
    ja: 'ファイルの種類は不正な値です',
  },
  fileBlank: { en: "File can't be blank", de: 'File muss ausgefüllt werden', ja: 'ファイルを入力してください' },
  fileSize: {
    en: 'File file size must be less than {0} MB',
    de: 'File Dateigröße muss kleiner als {0} MB sein',
    ja: 'ファイルは{0} MB未満でなければなりません',
  },
  descriptionLong: {
    en: 'Description is too long (maximum is {0} characters)',
    de: 'Description ist zu lang (mehr als {0} Zeichen)',
    ja: '説明は{0}文字以内で入力してください',
  },
  scheduledTooSoon: {
    en: 'Scheduled at date must be in the future',
    de: 'Scheduled at Datum muss in der Zukunft liegen',
    ja: '予約日時は未来の日時でなければなりません',
  },
  scheduledTotal: {
    en: 'You have exceeded the limit of {0} scheduled posts',
    de: 'Du hast die Begrenzung von {0} vorausgeplanten Beiträgen überschritten',
    ja: '予約できる投稿は{0}件までです',
  },
  scheduledDaily: {
    en: 'You have exceeded the limit of {0} scheduled posts for today',
    de: 'Du hast die Begrenzung von {0} vorausgeplanten Beiträgen für heute überschritten',
    ja: '1日に予約できる投稿は{0}件までです',
  },
} as const satisfies Record<string, Sentence>;

/** What is worded without being called invalid. */
const plain = {
  replyGone: {
    en: 'The post you are trying to reply to does not appear to exist.',
    de: 'Der Beitrag, auf den du antworten möchtest, scheint nicht zu existieren.',
    ja: '返信先の投稿が見つかりません。',
  },
  quoteGone: {
    en: 'The post you are trying to quote does not appear to exist.',
    de: 'Der Beitrag, den du zitieren möchtest, scheint nicht zu existieren.',
    ja: '引用しようとしている投稿が見つかりません。',
  },
  quoteUnmentioned: {
    en: 'Cannot quote a non-mentioned user in a Private Mention post.',
    de: 'Nicht erwähnte Profile können in einer privaten Erwähnung nicht zitiert werden.',
    ja: '非公開の返信では、返信先以外のユーザーを引用できません。',
  },
  mediaMany: {
    en: 'Cannot attach more than 4 files',
    de: 'Mehr als vier Dateien können nicht angehängt werden',
    ja: '追加できるファイルは4つまでです',
  },
  mediaMixed: {
    en: 'Cannot attach a video to a post that already contains images',
    de: 'Es kann kein Video an einen Beitrag, der bereits Bilder enthält, angehängt werden',
    ja: '既に画像が追加されているため、動画を追加することはできません',
  },
  mediaProcessing: {
    en: 'Cannot attach files that have not finished processing. Try again in a moment!',
    de: 'Dateien, die noch nicht verarbeitet wurden, können nicht angehängt werden. Versuche es gleich noch einmal!',
    ja: '処理が完了していないファイルは添付できません。しばらくしてからもう一度お試しください。',
  },
  mediaGone: {
    en: 'Media {0} not found or already attached to another post',
    de: 'Medien {0} nicht gefunden oder bereits an einen anderen Beitrag angehängt',
    ja: 'メディア {0} が見つからないか、他の投稿に添付されています',
  },
  tooMany: { en: 'Too many requests', de: 'Zu viele Anfragen', ja: 'リクエストが多すぎます' },
  translationDown: {
    en: 'The server-wide usage quota for the translation service has been exceeded.',
    de: 'Die serverweite Nutzungsgrenze des Übersetzungsdienstes wurde überschritten.',
    ja: 'サーバー全体の翻訳サービスの利用上限に達しました。',
  },
} as const satisfies Record<string, Sentence>;

export type InvalidName = keyof typeof invalid;
export type PlainName = keyof typeof plain;

/** What is wrong, in the words of a language. */
export function wordInvalid(name: InvalidName, locale: Locale, value: string | number = ''): string {
  return INVALID[locale].replace('{0}', () => invalid[name][locale].replace('{0}', String(value)));
}

export function wordPlain(name: PlainName, locale: Locale, value: string | number = ''): string {
  return plain[name][locale].replace('{0}', String(value));
}

/** The best of `Accept-Language`. */
export function localeFrom(accepted: string | undefined): Locale {
  const wanted = (accepted ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  return wanted.flatMap((code) => locales.find((locale) => locale === code) ?? [])[0] ?? 'en';
}
