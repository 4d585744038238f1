import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { Toasts } from "../ui/toasts.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { MaintenanceBanner } from "./maintenance-banner.tsx";
import { TabBar } from "./tab-bar.tsx";
import "./layout.css";

/** The frame of every page: landmarks, and the focus at the start of the page after each navigation. */
export function Layout({ bare, children }: { readonly bare: boolean; readonly children: ReactNode }) {
  const [location] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location);

  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [location]);

  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header />
      <MaintenanceBanner />
      <main id="main" tabIndex={-1} className={bare ? "bare" : "page wrap"} ref={main}>
        {children}
      </main>
      {!bare && <Footer />}
      {!bare && <TabBar />}
      <Toasts />
    </>
  );
}
