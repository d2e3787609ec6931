/** Templates are imported as text. */
declare module '*.njk' {
  const text: string;
  export default text;
}
