/** A template is imported as its text. */
declare module '*.njk' {
  const text: string;
  export default text;
}
