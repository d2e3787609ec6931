/** The templates that a rendering can reach, parsed. */
import type { Template } from '../../languages/minijinja/ast.ts';
import { allNodes } from '../../languages/minijinja/nodes.ts';
import { parseTemplate } from '../../languages/minijinja/parser.ts';
import type { TemplateReference } from '../../languages/minijinja/scopes.ts';
import { referenceOf } from '../../languages/minijinja/uses.ts';
import type { TemplateSource } from './model.ts';

export interface Reading {
  readonly source: TemplateSource;
  /** Its places are those of the file. */
  readonly template: Template;
}

/** The main template, if there is one of this name, and all that it takes in; all there are where a name is computed. */
export function readReachable(main: string, templates: readonly TemplateSource[]): ReadonlyMap<string, Reading> {
  const sources = new Map<string, TemplateSource>();
  for (const source of templates) if (!sources.has(source.name)) sources.set(source.name, source);
  const readings = new Map<string, Reading>();
  const pending = [main];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const source = sources.get(name);
    if (source === undefined || readings.has(name)) continue;
    const template = parseTemplate(source.text, source.span.start);
    readings.set(name, { source, template });
    for (const { names, dynamic } of referencesOf(template)) {
      const included = dynamic ? sources.keys() : names.map((reference) => reference.name);
      for (const one of included) pending.push(one);
    }
  }
  return readings;
}

function* referencesOf({ nodes }: Template): Iterable<TemplateReference> {
  for (const node of allNodes(nodes)) {
    if (node.kind === 'include') yield referenceOf('include', node.template, node.span);
    else if (node.kind === 'extends') yield referenceOf('extends', node.template, node.span);
    else if (node.kind === 'import') yield referenceOf('import', node.template, node.span);
    else if (node.kind === 'from-import') yield referenceOf('from', node.template, node.span);
  }
}
