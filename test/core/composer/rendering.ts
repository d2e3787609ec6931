/** Renders templates given as strings, and shows the result in a form that is easy to compare. */
import { TemplateEngine } from '../../../server/src/composer/render/engine.ts';
import { type RenderResult, renderTemplate, type TemplateSource } from '../../../server/src/composer/render.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';

export const engine = new TemplateEngine();

/** The text before each template in its file: a span is correct only if it is counted from the start of the file. */
const BEFORE = '\ufeff漢 💡\r\n';

export interface RenderOptions {
  readonly context?: Readonly<Record<string, Json>>;
  /** Other templates by name. The template under test is `main`. */
  readonly others?: Readonly<Record<string, string>>;
}

function sourcesOf(main: string, others: RenderOptions['others'] = {}): readonly TemplateSource[] {
  return Object.entries({ main, ...others }).map(([name, text]) => ({
    name,
    uri: name,
    span: { start: BEFORE.length, end: BEFORE.length + text.length },
    text,
    artifact: name,
  }));
}

export const renderText = (main: string, { context = {}, others }: RenderOptions = {}): RenderResult =>
  renderTemplate(engine, { main: 'main', templates: sourcesOf(main, others), context });

/**
 * Returns each piece as `output<source>`, or the failure as `! reason <source>`. For a template other than `main`, its
 * name precedes the source.
 */
export function show(main: string, given: RenderOptions = {}): readonly string[] {
  const templates = sourcesOf(main, given.others);
  const result = renderText(main, given);
  const written = (uri: string, { start, end }: { start: number; end: number }) =>
    `${uri === 'main' ? '' : uri}<${(BEFORE + templates.find((source) => source.uri === uri)?.text).slice(start, end)}>`;
  if (!result.ok) return [`! ${result.failure.reason} ${written(result.failure.uri, result.failure.span)}`];
  const pieces = result.pieces.map(({ start, end, uri, span }) => result.text.slice(start, end) + written(uri, span));
  return result.exact ? pieces : [...pieces, 'not exact'];
}

/** Returns the rendered text of a template. Throws if rendering fails. */
export function textOf(main: string, given: RenderOptions = {}): string {
  const result = renderText(main, given);
  if (!result.ok) throw new Error(result.failure.message);
  return result.text;
}
