package android.widget;

import android.content.Context;
import android.view.View;
import standin.Phone;

public class TextView extends View {
  public TextView(Context context) {
    super(context);
  }

  public final void setText(int id) {
    Phone.screen.texts.add(id);
  }

  public final void setText(CharSequence text) {
    Phone.screen.written = text.toString();
  }

  public void setTextColor(int color) {}
}
