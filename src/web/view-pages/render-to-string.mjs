// As `views/preact.mjs`: the types of this package declare the global names of browsers.
export { renderToString } from 'preact-render-to-string';
