/** Renders templates given as texts, and shows the result as a text that can be compared at a glance. */
import { TemplateEngine } from '../../../server/src/composer/render/engine.ts';
import { type RenderResult, renderTemplate, type TemplateSource } from '../../../server/src/composer/render.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';

export const engine = new TemplateEngine();

/** What stands before the templates in their files: with it a place is right only if it counts in the file. */
const BEFORE = '\ufeff漢 💡\r\n';

export interface Given {
  readonly context?: Readonly<Record<string, Json>>;
  /** Further templates by name; the one under test is `main`. */
  readonly others?: Readonly<Record<string, string>>;
}

function sourcesOf(main: string, others: Given['others'] = {}): readonly TemplateSource[] {
  return Object.entries({ main, ...others }).map(([name, text]) => ({
    name,
    uri: name,
    span: { start: BEFORE.length, end: BEFORE.length + text.length },
    text,
    artifact: name,
  }));
}

export const renderText = (main: string, { context = {}, others }: Given = {}): RenderResult =>
  renderTemplate(engine, { main: 'main', templates: sourcesOf(main, others), context });

/** Each piece as `output<source>`, after the template's name if it is another; `! reason template<source>` of a failure. */
export function show(main: string, given: Given = {}): readonly string[] {
  const templates = sourcesOf(main, given.others);
  const result = renderText(main, given);
  const written = (uri: string, { start, end }: { start: number; end: number }) =>
    `${uri === 'main' ? '' : uri}<${(BEFORE + templates.find((source) => source.uri === uri)?.text).slice(start, end)}>`;
  if (!result.ok) return [`! ${result.failure.reason} ${written(result.failure.uri, result.failure.span)}`];
  const pieces = result.pieces.map(({ start, end, uri, span }) => result.text.slice(start, end) + written(uri, span));
  return result.exact ? pieces : [...pieces, 'not exact'];
}

/** What a template renders to; a failure throws. */
export function textOf(main: string, given: Given = {}): string {
  const result = renderText(main, given);
  if (!result.ok) throw new Error(result.failure.message);
  return result.text;
}
