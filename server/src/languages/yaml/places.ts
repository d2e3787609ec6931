export { sourceSpan, sourceSpans, valueOffset } from './source-spans.ts';
