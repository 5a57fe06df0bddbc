import "./button.css";
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icons";

interface ButtonProps {
  /** plain has a border, primary is the one thing to do here, quiet has neither, danger takes something away. */
  readonly kind?: "plain" | "primary" | "quiet" | "danger";
  readonly icon?: IconName;
  readonly type?: "button" | "submit";
  readonly small?: boolean;
  readonly disabled?: boolean;
  /** Of a button that stays down. */
  readonly pressed?: boolean;
  /** Of a button that folds the element with the ID `controls`. */
  readonly expanded?: boolean;
  readonly controls?: string;
  /** A hint that shows when the pointer rests. */
  readonly title?: string;
  readonly onClick?: (event: MouseEvent) => void;
  readonly children: ComponentChildren;
}

/** A button with words on it. */
export function Button({ kind = "plain", icon, type = "button", small, disabled, pressed, expanded, controls, title, onClick, children }: ButtonProps) {
  return (
    <button type={type} class={`button button-${kind}${small ? " button-small" : ""}`} disabled={disabled} aria-pressed={pressed} aria-expanded={expanded} aria-controls={controls} title={title} onClick={onClick}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  /** The accessible name, and the hint that shows when the pointer rests. */
  readonly label: string;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** -1: is reached by other keys than Tab. */
  readonly tabIndex?: number;
  readonly onClick?: (event: MouseEvent) => void;
}

/** A button that is only a drawing. */
export function IconButton({ icon, label, disabled, pressed, tabIndex, onClick }: IconButtonProps) {
  return (
    <button type="button" class="button button-icon" aria-label={label} title={label} disabled={disabled} aria-pressed={pressed} tabIndex={tabIndex} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
