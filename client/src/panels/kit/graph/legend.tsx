/** A row of a legend: a sign, and what it means. */
import type { ComponentChildren } from 'preact';

interface SignProps {
  readonly class: string;
  readonly means: string;
  readonly children: ComponentChildren;
}

export const Sign = ({ class: name, means, children }: SignProps) => (
  <>
    <svg aria-hidden="true" viewBox="0 0 40 20">
      <g class={name}>{children}</g>
    </svg>
    <span>{means}</span>
  </>
);
