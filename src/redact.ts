/** Creates a function that replaces secrets in a text, also their URL, JSON and Base64 forms. */
export function withoutSecrets(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('base64')])
    .toSorted((a, b) => b.length - a.length);
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, '[secret]'), text);
}
