import { type InputHTMLAttributes, type MouseEvent, useState } from "react";
import "./password-input.css";

type PasswordInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className">;

/** Hidden as it is typed; a press shows what stands there, since the keys of a phone are small and a wrong one is not seen. */
export function PasswordInput(props: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <span className="password-input">
      <input
        {...props}
        className="input"
        type={isShown ? "text" : "password"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <button type="button" onMouseDown={keepFocus} onClick={() => setShown(!isShown)}>
        {isShown ? "Hide" : "Show"}
        <span className="visually-hidden"> password</span>
      </button>
    </span>
  );
}

/** Who types goes on typing: a phone's keyboard would go and come again. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}
