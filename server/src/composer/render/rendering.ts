/** One rendering: its request, the templates that it can reach, parsed, and those that the engine refuses to load. */
import type { Template } from '../../languages/minijinja/ast.ts';
import { allNodes } from '../../languages/minijinja/nodes.ts';
import { parseTemplate } from '../../languages/minijinja/parser.ts';
import type { TemplateReference } from '../../languages/minijinja/scopes.ts';
import { referenceOf } from '../../languages/minijinja/uses.ts';
import type { NamedTemplate, Outcome, TemplateEngine } from './engine.ts';
import type { Explanation } from './explain.ts';
import type { RenderRequest, TemplateSource } from './model.ts';

export interface ParsedTemplate {
  readonly source: TemplateSource;
  /** Its places are those of the file. */
  readonly template: Template;
  /** The name of the template that takes it in first; undefined for the main one. */
  readonly by: string | undefined;
}

export type ParsedTemplates = ReadonlyMap<string, ParsedTemplate>;

export interface Rendering {
  readonly engine: TemplateEngine;
  readonly request: RenderRequest;
  readonly main: ParsedTemplate;
  /** All that can be reached from `main`, itself included. */
  readonly templates: ParsedTemplates;
  /** They do no harm until one of them is included. */
  readonly unloadable: Map<string, Explanation>;
}

/** Includes a template that never exists, and so fails where it is included itself. */
const FAILING = '{% include "\0" %}';

/** Renders with these texts; a template that cannot be loaded fails where it is included. */
export function runWith({ engine, request, unloadable }: Rendering, texts: Iterable<NamedTemplate>): Outcome {
  const loadable = Array.from(texts, ({ name, text }) => ({ name, text: unloadable.has(name) ? FAILING : text }));
  return engine.run(loadable, request.main, request.context);
}

/**
 * The main template, if there is one of this name, and all that it takes in, in the order of the text; all there are
 * where a name is computed.
 */
export function parseReachable({ main, templates }: RenderRequest): ParsedTemplates {
  const sources = new Map<string, TemplateSource>();
  for (const source of templates) if (!sources.has(source.name)) sources.set(source.name, source);
  const parsed = new Map<string, ParsedTemplate>();
  const pending: { readonly name: string; readonly by: string | undefined }[] = [{ name: main, by: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, by } = next;
    const source = sources.get(name);
    if (source === undefined || parsed.has(name)) continue;
    const template = parseTemplate(source.text, source.span.start);
    parsed.set(name, { source, template, by });
    const taken = [...referencesOf(template)].flatMap(({ names, dynamic }) =>
      dynamic ? [...sources.keys()] : names.map((reference) => reference.name),
    );
    // The last one pushed is read next.
    for (const one of taken.reverse()) pending.push({ name: one, by: name });
  }
  return parsed;
}

function* referencesOf({ nodes }: Template): Iterable<TemplateReference> {
  for (const node of allNodes(nodes)) {
    if (node.kind === 'include') yield referenceOf('include', node.template, node.span);
    else if (node.kind === 'extends') yield referenceOf('extends', node.template, node.span);
    else if (node.kind === 'import') yield referenceOf('import', node.template, node.span);
    else if (node.kind === 'from-import') yield referenceOf('from', node.template, node.span);
  }
}
