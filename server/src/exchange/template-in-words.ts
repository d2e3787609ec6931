/** A template as text that reads without an engine: values in braces, conditions and loops in words. */
import { codeSpan } from '../languages/markdown/fence.ts';
import type { Body, Node, Target, Template } from '../languages/minijinja/ast.ts';
import { parseTemplate } from '../languages/minijinja/parser.ts';
import { conditionOf, inBrackets, itemsOf, outputOf } from './expression-in-words.ts';

export interface InWords {
  readonly text: string;
  /** The statements that stand as they are written, since no words say them. */
  readonly left: readonly string[];
}

const MAX_INCLUDES = 10;

/** `findTemplate` gives the source of another template of the skill. */
export function templateInWords(source: string, findTemplate: (name: string) => string | undefined): InWords {
  const left: string[] = [];
  const text = new Writer(findTemplate, left).template(source, 0);
  return {
    text: text
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    left,
  };
}

class Writer {
  readonly #find: (name: string) => string | undefined;
  readonly #left: string[];

  constructor(find: (name: string) => string | undefined, left: string[]) {
    this.#find = find;
    this.#left = left;
  }

  template(source: string, includes: number): string {
    const template = parseTemplate(source);
    if (template.problems.length > 0) {
      this.#left.push('a template that does not parse');
      return source;
    }
    return this.#nodes(template.nodes, template, includes);
  }

  #nodes(nodes: readonly Node[], template: Template, includes: number): string {
    let text = '';
    for (const node of nodes) {
      const isLineStart = text === '' || /\n[ \t]*$/.test(text);
      text += this.#node(node, template, { includes, isLineStart });
    }
    return text;
  }

  #node(node: Node, template: Template, at: { includes: number; isLineStart: boolean }): string {
    const slice = template.text.slice(node.span.start, node.span.end);
    const body = ({ nodes }: Body): string => this.#nodes(nodes, template, at.includes);
    switch (node.kind) {
      case 'text':
        return slice;
      case 'comment':
        return '';
      case 'output':
        return outputOf(node.value, template.text);
      case 'if': {
        const arms = node.branches.map((branch, index) => {
          const condition = conditionOf(branch.condition, template.text);
          return { lead: `${index === 0 ? 'If' : 'Otherwise, if'} ${condition}`, text: body(branch.body) };
        });
        const last = node.otherwise ? [{ lead: 'Otherwise', text: body(node.otherwise) }] : [];
        const [first] = arms;
        // Where only the other arm says something, the condition is turned round.
        if (arms.length === 1 && first?.text.trim() === '' && last[0]) {
          return arranged([{ ...last[0], lead: first.lead.replace(/^If/, 'Unless') }], at.isLineStart);
        }
        return arranged([...arms, ...last], at.isLineStart);
      }
      case 'for': {
        const target = targetText(node.target);
        const each = { lead: `For each ${target} of ${itemsOf(node.iterable, template.text)}`, text: body(node.body) };
        const none = node.otherwise ? [{ lead: 'If there is none', text: body(node.otherwise) }] : [];
        return arranged([each, ...none], at.isLineStart);
      }
      case 'include': {
        const name = node.template.kind === 'literal' ? String(node.template.value) : undefined;
        const source = name === undefined || at.includes >= MAX_INCLUDES ? undefined : this.#find(name);
        if (source !== undefined) return this.template(source, at.includes + 1);
        break;
      }
      case 'autoescape':
      case 'filter-block':
      case 'block':
        return body(node.body);
      case 'set':
        return `[${targetText(node.target)} stands for ${outputOf(node.value, template.text)}]`;
      default:
    }
    this.#left.push(`\`${node.kind}\``);
    return slice;
  }
}

const targetText = (target: Target): string => {
  if (target.kind === 'name') return codeSpan(target.name);
  return target.kind === 'targets' ? target.items.map(targetText).join(', ') : 'value';
};

/** Each part as a quotation under its lead; within a line in brackets. What says nothing is left out. */
function arranged(all: readonly { readonly lead: string; readonly text: string }[], isLineStart: boolean): string {
  const parts = all.filter(({ text }) => text.trim() !== '');
  if (parts.length === 0) return '';
  const isBlock = isLineStart || parts.some(({ text }) => text.trim().includes('\n'));
  if (!isBlock) return inBrackets(parts.map(({ lead, text }) => ({ lead: lower(lead), text })));
  const blocks = parts.map(({ lead, text }) => {
    const quoted = text
      .trim()
      .replace(/\n{3,}/g, '\n\n')
      .split('\n')
      .map((line) => `> ${line}`.trimEnd());
    return `${lead}:\n\n${quoted.join('\n')}`;
  });
  return `\n${blocks.join('\n\n')}\n\n`;
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
